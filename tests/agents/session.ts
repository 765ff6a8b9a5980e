import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolName } from "@interlingua/protocols";
import { agentScript, type UpstreamSim } from "@interlingua/upstream-sim";
import { holds, proofsIn } from "../loops/proofs.ts";
import type { Agent } from "./agent.ts";
import type { FamilySwitch } from "./family-switch.ts";
import { inPlace, type Place } from "./place.ts";
import type { Outcome } from "./run-agent.ts";
import { readSettings, writeSettings } from "./settings-page.ts";
import { spawned } from "./spawned.ts";
import { refusals, type Watch, type WatchedCall } from "./watched.ts";

/** Where a session is held. */
export interface SessionStage {
  sim: UpstreamSim;
  /** Stands before the gateway. */
  front: Watch;
  /** Stands between the gateway and the simulated upstreams. */
  behind: Watch;
  switch: FamilySwitch;
  key: string;
  model: string;
  modules: string;
}

/** What one turn left behind for those after it. */
interface Turn {
  family: ProtocolName;
  words: readonly string[];
  thoughts: readonly Thought[];
}

/** The proofs of thinking in one answer of an upstream, and what the agent got for them: themselves, or envelopes. */
interface Thought {
  proofs: readonly string[];
  carriers: readonly string[];
}

/**
 * Has an agent hold one session, a start of the program for each turn, and the family behind its model another one in
 * each. The upstreams are strict: one that is shown a proof that is not its own refuses the call. Every turn thinks,
 * reads two files by parallel calls, and must be sent the whole session: all words of the turns so far, every proof of
 * its own that the agent brings back, and none of others.
 */
export function runSession(agent: Agent, families: readonly ProtocolName[], stage: SessionStage): Promise<Outcome> {
  return inPlace(stage.modules, async (place) => {
    const begun = performance.now();
    const { front, key, model } = stage;
    const settings = readSettings(agent.page, { address: front.url, key, model }, "files");
    writeSettings(settings, place);
    const turns: Turn[] = [];
    const faults: string[] = [];
    const outcome: Outcome = { faults, seconds: 0, printed: "", requests: { agent: "", upstream: "" } };
    for (const family of families) {
      const took = await playTurn(agent, family, { ...stage, place, shell: settings.shell, turns });
      turns.push(took.turn);
      faults.push(...took.faults.map((fault) => `turn ${turns.length}, on ${family}: ${fault}`));
      outcome.printed += `${took.printed}\n`;
      outcome.requests.agent += `${front.calls.map((call) => JSON.stringify(call)).join("\n")}\n`;
      outcome.requests.upstream += `${stage.behind.calls.map((call) => JSON.stringify(call)).join("\n")}\n`;
      // What comes after a turn that went wrong tells nothing.
      if (faults.length > 0) break;
    }
    return { ...outcome, seconds: (performance.now() - begun) / 1000 };
  });
}

interface TurnStage extends SessionStage {
  place: Place;
  shell: string;
  turns: readonly Turn[];
}

async function playTurn(agent: Agent, family: ProtocolName, stage: TurnStage) {
  const { sim, front, behind, place, turns } = stage;
  const number = turns.length + 1;
  const files = [`notes-${number}.txt`, `more-${number}.txt`];
  const words = files.map(() => `word-${crypto.randomUUID()}`);
  for (const [at, name] of files.entries()) writeFileSync(join(place.directory, name), `The secret is ${words[at]}.\n`);
  const finalText = `Turn ${number} has come to its end.`;
  await stage.switch.to(family);
  front.calls.length = 0;
  behind.calls.length = 0;
  const before = turns.flatMap((turn) => turn.words).length;
  sim.setScript(agentScript({ directory: place.directory, read: files, find: /word-/, finalText, before }));
  const prompt = `Read ${files.join(" and ")} and say what they hold.`;
  const command = agent.command({ bin: join(stage.modules, ".bin"), prompt, turn: number === 1 ? "first" : "next" });
  const ended = await spawned(stage.shell, command, place);

  const asked = front.calls.filter(isTurnOf);
  const own = behind.calls.filter(isTurnOf);
  const thoughts = own.map(({ answer }, at) => thoughtIn(answer, asked[at]?.answer ?? ""));
  const last = own.at(-1);
  const earlier = turns.filter((turn) => turn.family === family).flatMap((turn) => turn.thoughts);
  const foreign = turns.filter((turn) => turn.family !== family).flatMap((turn) => turn.thoughts);
  const returned = earlier.filter(({ proofs }) => proofs.some((proof) => last?.body.includes(proof)));
  const proves = family !== "chat-completions";
  const faults = [
    ended.code === 0 ? "" : `it ended with ${ended.code}`,
    ended.printed.includes(finalText) ? "" : "the last answer was not shown",
    ...refusals(front),
    ...refusals(behind),
    own.length >= 2 && own.length === asked.length
      ? ""
      : `of ${asked.length} requests of the turn ${own.length} came to an upstream`,
    own.every((call) => familyOf(call) === family) ? "" : "another family was asked",
    ...[...turns.flatMap((turn) => turn.words), ...words]
      .filter((word) => !last?.body.includes(word))
      .map((word) => `${word} did not come to the upstream`),
    foreign.some(({ proofs }) => proofs.some((proof) => behind.calls.some(({ body }) => holds(body, proof))))
      ? "a foreign proof was sent"
      : "",
    behind.calls.some(({ body }) => /"gw\dE/.test(body)) ? "an envelope was sent" : "",
    !proves || thoughts.every(({ proofs, carriers }) => proofs.length > 0 && carriers.length > 0)
      ? ""
      : "a thought came without a proof",
    !agent.keepsThinking || earlier.length === 0 || returned.length > 0 ? "" : "no proof of an earlier turn came back",
    ...own.flatMap(({ body }, at) =>
      [...earlier, ...thoughts.slice(0, at)]
        .filter(({ carriers }) => carriers.some((carrier) => asked[at]?.body.includes(carrier)))
        .flatMap(({ proofs }) => proofs.filter((proof) => !body.includes(JSON.stringify(proof))))
        .map((proof) => `request ${at + 1} bore an envelope whose proof ${proof} was not sent`),
    ),
  ];
  return {
    faults: faults.filter((fault) => fault !== ""),
    turn: { family, words, thoughts: proves ? thoughts : [] },
    printed: ended.printed,
  };
}

function thoughtIn(answer: string, shown: string): Thought {
  const proofs = proofsIn(answer);
  const envelopes = shown.match(/gw\dE[A-Za-z0-9+/=_-]+/g) ?? [];
  return { proofs, carriers: [...envelopes, ...proofs.filter((proof) => shown.includes(proof))] };
}

/** Whether a call belongs to the conversation: for titles and the like no tools are offered. */
function isTurnOf({ body }: WatchedCall): boolean {
  return /"(?:tools|functionDeclarations)":\[\{/.test(body);
}

function familyOf({ line }: WatchedCall): ProtocolName | undefined {
  if (line.includes("/chat/completions")) return "chat-completions";
  if (line.includes("/responses")) return "responses";
  if (line.includes("/messages")) return "messages";
  return line.includes("enerateContent") ? "generate-content" : undefined;
}
