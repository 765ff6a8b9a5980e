import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { startUpstreamSim } from "@interlingua/upstream-sim";
import { endOnSignal } from "../support/end-on-signal.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Agent, agents } from "./agent.ts";
import { type AgentRow, agentTable, readAgentRows, sessionTable, writeAgentRows } from "./agent-table.ts";
import { openFamilySwitch } from "./family-switch.ts";
import { type Outcome, runAgent } from "./run-agent.ts";
import { runSession } from "./session.ts";
import { watch } from "./watched.ts";

/**
 * Real agents in front of upstreams of every family, by the settings of docs/clients: each reads two files at once,
 * asks a tool server, writes a file, runs a command and finishes; and each holds sessions behind which the family
 * changes from turn to turn. Prints tables, and ends with 1 where something fails, or where docs/compatibility.md says
 * otherwise (`UPDATE_DOCS=1` writes what it is made from anew; `npm run docs` makes the page of it).
 * `npm run test:agents [agent] [family]` runs those whose names hold the words; a session goes by the family that it
 * begins on. `LOGS=directory` keeps what was said; `REPORT=file` gets the counts as JSON: passed, failed, skipped.
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
  /** Of a task: the one behind it. Of a session: those behind its turns. */
  families: readonly ProtocolName[];
  kind: "task" | "session";
  title: string;
  outcome: Outcome;
}

// Two at once: programs wait as much as they work.
const rows = (await Promise.all([playTasks(), playSessions()])).flat();

const skipped = chosen.filter((agent) => !isHere(agent));
const found = chosen.filter(isHere).map(rowOf);
console.log(`\n${agentTable(found, families)}\n\n${sessionTable(found, families)}`);
for (const { name } of skipped)
  console.log(`skipped: ${name} is not to be had for ${process.platform}-${process.arch}`);
const failed = rows.filter(({ outcome }) => outcome.faults.length > 0);
for (const { title, outcome } of failed) {
  console.log(`\n--- ${title}: ${outcome.faults.join("; ")}\n${outcome.printed.slice(-4000)}`);
}
const whole = agentWord === "" && familyWord === "" && skipped.length === 0;
if (whole && process.env.UPDATE_DOCS === "1") writeAgentRows(found);
const stale = whole && JSON.stringify(found) !== JSON.stringify(readAgentRows());
if (stale)
  console.log("\ndocs/compatibility.md tells otherwise: run UPDATE_DOCS=1 npm run test:agents, then npm run docs.");
console.log(`\n${rows.length - failed.length} of ${rows.length} passed.`);
const counts = {
  passed: rows.length - failed.length,
  failed: failed.length + (stale ? 1 : 0),
  skipped: skipped.flatMap((agent) => [...families.flatMap(() => modelsOf(agent)), ...sessionsOf(agent)]).length,
};
if (process.env.REPORT !== undefined) writeFileSync(process.env.REPORT, JSON.stringify(counts));
process.exitCode = counts.failed > 0 || rows.length === 0 ? 1 : 0;

/** What the tables tell of an agent. */
function rowOf({ name, page, speaks, module, takesServers }: Agent): AgentRow {
  const { version } = JSON.parse(readFileSync(join(modules, module, "package.json"), "utf8"));
  const own = rows.filter(({ agent }) => agent === name);
  const isGood = ({ outcome }: Row) => outcome.faults.length === 0;
  const tasks = own.filter(({ kind }) => kind === "task");
  return {
    name,
    page,
    speaks,
    version,
    passed: families.filter((family) => tasks.filter((row) => row.families.includes(family)).every(isGood)),
    asksServer: takesServers,
    sessions: own
      .filter(({ kind }) => kind === "session")
      .map((row) => ({ families: row.families, passed: isGood(row) })),
  };
}

/** Some programs come for one kind of machine only. */
function isHere({ module }: Agent): boolean {
  return existsSync(join(modules, module));
}

/** Once with a model's name that it knows, and once with one that it does not. */
function modelsOf({ knownModel }: Agent): readonly string[] {
  return [knownModel, foreignModel];
}

function sessionsOf({ sessions }: Agent): readonly (readonly ProtocolName[])[] {
  return sessions.filter(([first]) => first !== undefined && families.includes(first));
}

/** All agents in front of each family in turn; the model that they do not know is set up by files. */
async function playTasks(): Promise<Row[]> {
  const played: Row[] = [];
  for (const family of families) {
    const sim = await startSim();
    const names = [...new Set(chosen.flatMap(modelsOf))];
    const gateway = await startTestGateway({ channels: [channel(family, sim.url, names)] });
    const front = await watch(gateway.caller.url);
    const { key } = gateway.caller;
    for (const agent of chosen.filter(isHere)) {
      for (const model of modelsOf(agent)) {
        const way = model === foreignModel ? "files" : "shell";
        const outcome = await runAgent(agent, { sim, front, key, model, way, family, modules });
        const title = `${agent.name} on ${family} as ${model}`;
        played.push({ agent: agent.name, families: [family], kind: "task", title, outcome });
        tell(title, `${agent.page}-${family}-${model}`, outcome);
      }
    }
    await front.close();
    await gateway.close();
    await sim.close();
  }
  return played;
}

/** All sessions of all agents, over one gateway with a channel for each family. */
async function playSessions(): Promise<Row[]> {
  const played: Row[] = [];
  const sim = await startSim();
  const behind = await watch(sim.url);
  // By names that they know, since some ask only models that they know to think.
  const names = [...new Set(chosen.map(({ knownModel }) => knownModel))];
  const channels = protocolNames.map((family) => channel(family, behind.url, names));
  const gateway = await startTestGateway({ channels });
  const front = await watch(gateway.caller.url);
  const stage = { sim, front, behind, switch: await openFamilySwitch(gateway), modules };
  for (const agent of chosen.filter(isHere)) {
    for (const session of sessionsOf(agent)) {
      const outcome = await runSession(agent, session, { ...stage, model: agent.knownModel, key: gateway.caller.key });
      const title = `${agent.name} in a session over ${session.join(", ")}`;
      played.push({ agent: agent.name, families: session, kind: "session", title, outcome });
      tell(title, `${agent.page}-session-${session[0]}`, outcome);
    }
  }
  await front.close();
  await gateway.close();
  await behind.close();
  await sim.close();
  return played;
}

function startSim() {
  // Short, since no id of a call may have more than 40 characters, with what the families put before it.
  return startUpstreamSim({ clock: Date.now, ids: () => crypto.randomUUID().replaceAll("-", "").slice(0, 24) });
}

/** The channel of a family, which bears the family's name and publishes its model under these. */
function channel(family: ProtocolName, url: string, names: readonly string[]) {
  const openAi = family === "chat-completions" || family === "responses";
  return {
    name: family,
    protocols: [family],
    base_url: openAi ? `${url}/v1` : url,
    api_key: "sim",
    models: names.map((id) => ({ id, upstream_id: upstreamModels[family] })),
  };
}

/** The agents are large and stand apart: they are fetched when they are first needed. */
function install(): void {
  if (existsSync(join(modules, ".bin"))) return;
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: directory, stdio: "inherit" });
  if (done.status !== 0) throw new Error("The agents could not be installed.");
}

function tell(title: string, file: string, outcome: Outcome): void {
  const verdict = outcome.faults.length === 0 ? "passed" : `FAILED: ${outcome.faults.join("; ")}`;
  console.log(`${title}: ${verdict} (${outcome.seconds.toFixed(1)} s)`);
  const logs = process.env.LOGS;
  if (logs === undefined) return;
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, `${file}.txt`), outcome.printed);
  writeFileSync(join(logs, `${file}-agent.jsonl`), outcome.requests.agent);
  writeFileSync(join(logs, `${file}-upstream.jsonl`), outcome.requests.upstream);
}
