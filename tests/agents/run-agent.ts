import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolName } from "@interlingua/protocols";
import { agentScript, type UpstreamSim } from "@interlingua/upstream-sim";
import type { Agent, ToolServer } from "./agent.ts";
import { addToJson, inPlace, type Place } from "./place.ts";
import { readSettings, writeSettings } from "./settings-page.ts";
import { spawned } from "./spawned.ts";
import { refusals, type Watch } from "./watched.ts";

/** Where an agent works and what it works with. */
export interface Stage {
  sim: UpstreamSim;
  /** Stands before the gateway. */
  front: Watch;
  /** An access key. */
  key: string;
  /** The model that the agent asks for. */
  model: string;
  /** Whether it is set up by the environment or, where its page tells that, by files alone. */
  way: "shell" | "files";
  /** The family behind it. */
  family: ProtocolName;
  /** Directory of the installed packages. */
  modules: string;
}

/** What became of one task. */
export interface Outcome {
  /** Why it failed; empty where all is as it should be. */
  faults: string[];
  seconds: number;
  printed: string;
  /** What the agent asked the gateway and the gateway the upstream. */
  requests: { agent: string; upstream: string };
}

const finalText = "The agent has finished its task.";
const pattern = /word-[0-9a-f-]{36}/;

/**
 * Has an agent read two files at once, ask a tool server of the user's where it takes one, write a file and run a
 * command, in a home and a directory of its own, and looks at both.
 */
export function runAgent(agent: Agent, stage: Stage): Promise<Outcome> {
  return inPlace(stage.modules, (place) => play(agent, stage, place));
}

async function play(agent: Agent, stage: Stage, place: Place): Promise<Outcome> {
  const { directory } = place;
  const newWord = () => `word-${crypto.randomUUID()}`;
  const files = { "notes.txt": newWord(), "more.txt": newWord() };
  for (const [name, word] of Object.entries(files)) writeFileSync(join(directory, name), `The secret is ${word}.\n`);
  if (agent.seesPictures) writeFileSync(join(directory, "picture.png"), picture);
  const { sim, front, key, model, way } = stage;
  const settings = readSettings(agent.page, { address: front.url, key, model }, way);
  writeSettings(settings, place);
  const toldWord = newWord();
  const server = agent.takesServers ? toolServer(toldWord) : undefined;
  if (server) {
    const told = agent.serverFile?.(server);
    if (told) addToJson(place, told.path, told.json);
  }
  front.calls.length = 0;
  sim.requests.length = 0;
  sim.setScript(
    agentScript({
      directory,
      read: Object.keys(files),
      ...(agent.seesPictures ? { look: "picture.png" } : {}),
      ...(server ? { ask: { tool: "secret_word", arguments: { topic: "house" } } } : {}),
      find: pattern,
      write: "answer.txt",
      command: "tr a-z A-Z < answer.txt > loud.txt",
      finalText,
    }),
  );
  const begun = performance.now();
  const prompt = "Read notes.txt and more.txt, write the secrets into answer.txt, and make loud.txt of it in capitals.";
  const command = agent.command({ bin: join(stage.modules, ".bin"), prompt, ...(server ? { server } : {}) });
  const ended = await spawned(settings.shell, command, place);
  const file = (name: string) =>
    existsSync(join(directory, name)) ? readFileSync(join(directory, name), "utf8").trim() : "(no file)";
  const wanted = [...Object.values(files), ...(server ? [toldWord] : [])].join("\n");
  const own = sim.requests.filter(({ route }) => route?.kind === "generate");
  const faults = [
    ended.code === 0 ? "" : `it ended with ${ended.code}`,
    file("answer.txt") === wanted ? "" : `answer.txt: ${file("answer.txt")}`,
    file("loud.txt") === wanted.toUpperCase() ? "" : `loud.txt: ${file("loud.txt")}`,
    ended.printed.includes(finalText) ? "" : "the last answer was not shown",
    own.length > 0 ? "" : "no request came to the upstream",
    own.every(({ route }) => route?.kind === "generate" && route.protocol === stage.family) ? "" : "another family",
    ...refusals(front),
    agent.seesPictures && !own.some(({ json }) => showsPicture(JSON.stringify(json)))
      ? "the picture was not shown"
      : "",
    own.filter(({ stream }) => stream).length >= 4 ? "" : "fewer than four answers were streamed",
  ].filter((fault) => fault !== "");
  return {
    faults,
    seconds: (performance.now() - begun) / 1000,
    printed: ended.printed,
    requests: {
      agent: front.calls.map((call) => JSON.stringify(call)).join("\n"),
      upstream: own.map(({ path, json }) => JSON.stringify({ path, json })).join("\n"),
    },
  };
}

/** The tool server that tells this word. */
function toolServer(word: string): ToolServer {
  return { command: process.execPath, args: [join(import.meta.dirname, "tool-server.ts"), word] };
}

/** A red square, 32 by 32. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mO4IydHU8QwasGoBaMWjFowasGoBaMWjFowasGoBaMWDBULAJI2YD30P/0LAAAAAElFTkSuQmCC",
  "base64",
);

/** Whether a request of any family bears a picture; programs may have written it anew. */
function showsPicture(body: string): boolean {
  return /"(?:media_type|mime_?type)":"image\/|data:image\//i.test(body);
}
