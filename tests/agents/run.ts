import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { startUpstreamSim } from "@interlingua/upstream-sim";
import { endOnSignal } from "../support/end-on-signal.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Agent, agents } from "./agent.ts";
import { type AgentRow, agentTable, readAgentRows, writeAgentRows } from "./agent-table.ts";
import { type Outcome, runAgent } from "./run-agent.ts";
import { watch } from "./watched.ts";

/**
 * Real agents in front of upstreams of every family, by the settings of docs/clients: each reads two files at once,
 * writes one, runs a command and finishes. Prints a table, and ends with 1 where one does not, or where the table of
 * docs/compatibility.md says otherwise (`UPDATE_DOCS=1` writes it anew; `npm run docs` makes the page of it).
 * `npm run test:agents [agent] [family]` runs those whose names hold the words; `LOGS=directory` keeps what was said;
 * `REPORT=file` gets the counts as JSON: passed, failed, skipped.
 */
const directory = import.meta.dirname;
const modules = join(directory, "node_modules");

/** Names that the gateway knows: what it sends differs by model. */
const upstreamModels: Record<ProtocolName, string> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "sandbox-gemini-3",
};

endOnSignal();
install();
const [agentWord = "", familyWord = ""] = process.argv.slice(2).map((word) => word.toLowerCase());
const chosen = agents.filter(({ name, page }) => `${name} ${page}`.toLowerCase().includes(agentWord));
const families = protocolNames.filter((family) => family.includes(familyWord));

/** A name that no agent knows. */
const foreignModel = "house-model";

interface Row {
  agent: string;
  family: ProtocolName;
  model: string;
  outcome: Outcome;
}

const rows: Row[] = [];
for (const family of families) rows.push(...(await playFamily(family)));

const skipped = chosen.filter((agent) => !isHere(agent));
const found = chosen.filter(isHere).map(rowOf);
console.log(`\n${agentTable(found, families)}`);
for (const { name } of skipped)
  console.log(`skipped: ${name} is not to be had for ${process.platform}-${process.arch}`);
const failed = rows.filter(({ outcome }) => outcome.faults.length > 0);
for (const { agent, family, model, outcome } of failed) {
  console.log(`\n--- ${agent} on ${family} as ${model}: ${outcome.faults.join("; ")}\n${outcome.printed.slice(-4000)}`);
}
const whole = agentWord === "" && skipped.length === 0;
if (whole && process.env.UPDATE_DOCS === "1") writeAgentRows(found);
const stale = whole && JSON.stringify(found) !== JSON.stringify(readAgentRows());
if (stale)
  console.log("\ndocs/compatibility.md tells otherwise: run UPDATE_DOCS=1 npm run test:agents, then npm run docs.");
console.log(`\n${rows.length - failed.length} of ${rows.length} passed.`);
const counts = {
  passed: rows.length - failed.length,
  failed: failed.length + (stale ? 1 : 0),
  skipped: skipped.length * families.length * 2,
};
if (process.env.REPORT !== undefined) writeFileSync(process.env.REPORT, JSON.stringify(counts));
process.exitCode = counts.failed > 0 || rows.length === 0 ? 1 : 0;

/** What the table tells of an agent. */
function rowOf({ name, page, speaks, module }: Agent): AgentRow {
  const { version } = JSON.parse(readFileSync(join(modules, module, "package.json"), "utf8"));
  const passed = families.filter((family) =>
    rows.every((row) => row.agent !== name || row.family !== family || row.outcome.faults.length === 0),
  );
  return { name, page, speaks, version, passed };
}

/** Some programs come for one kind of machine only. */
function isHere({ module }: Agent): boolean {
  return existsSync(join(modules, module));
}

/** All agents in front of one family, each once with a model's name that it knows, and once with one that it does not and set up by files. */
async function playFamily(family: ProtocolName): Promise<Row[]> {
  const played: Row[] = [];
  // Short, since no id of a call may have more than 40 characters, with what the families put before it.
  const ids = () => crypto.randomUUID().replaceAll("-", "").slice(0, 24);
  const sim = await startUpstreamSim({ clock: Date.now, ids });
  const openAi = family === "chat-completions" || family === "responses";
  const names = new Set([foreignModel, ...chosen.map(({ knownModel }) => knownModel)]);
  const gateway = await startTestGateway({
    channels: [
      {
        name: family,
        protocols: [family],
        base_url: openAi ? `${sim.url}/v1` : sim.url,
        api_key: "sim",
        models: [...names].map((id) => ({ id, upstream_id: upstreamModels[family] })),
      },
    ],
  });
  const front = await watch(gateway.caller.url);
  const { key } = gateway.caller;
  for (const agent of chosen.filter(isHere)) {
    for (const model of [agent.knownModel, foreignModel]) {
      const way = model === foreignModel ? "files" : "shell";
      const outcome = await runAgent(agent, { sim, front, key, model, way, family, modules });
      played.push({ agent: agent.name, family, model, outcome });
      const verdict = outcome.faults.length === 0 ? "passed" : `FAILED: ${outcome.faults.join("; ")}`;
      console.log(`${agent.name} on ${family} as ${model}: ${verdict} (${outcome.seconds.toFixed(1)} s)`);
      keep(`${agent.page}-${family}-${model}`, outcome);
    }
  }
  await front.close();
  await gateway.close();
  await sim.close();
  return played;
}

/** The agents are large and stand apart: they are fetched when they are first needed. */
function install(): void {
  if (existsSync(join(modules, ".bin"))) return;
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: directory, stdio: "inherit" });
  if (done.status !== 0) throw new Error("The agents could not be installed.");
}

function keep(name: string, outcome: Outcome): void {
  const logs = process.env.LOGS;
  if (logs === undefined) return;
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, `${name}.txt`), outcome.printed);
  writeFileSync(join(logs, `${name}-agent.jsonl`), outcome.requests.agent);
  writeFileSync(join(logs, `${name}-upstream.jsonl`), outcome.requests.upstream);
}
