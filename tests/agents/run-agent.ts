import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProtocolName } from "@interlingua/protocols";
import { agentScript, type UpstreamSim } from "@interlingua/upstream-sim";
import type { Agent } from "./agent.ts";
import { readSettings, writeSettings } from "./settings-page.ts";
import type { Watch } from "./watched.ts";

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

/** No task takes longer. */
const limitMs = 90_000;
const finalText = "The agent has finished its task.";

/** Has an agent read two files at once, write one and run a command, in a home and a directory of its own, and looks at both. */
export async function runAgent(agent: Agent, stage: Stage): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), "interlingua-agent-"));
  try {
    return await play(agent, stage, root);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function play(agent: Agent, stage: Stage, root: string): Promise<Outcome> {
  const home = join(root, "home");
  const directory = join(root, "work");
  for (const path of [home, directory]) mkdirSync(path);
  symlinkSync(stage.modules, join(root, "node_modules"));
  const files = ["notes.txt", "more.txt"];
  const words = files.map(() => `word-${crypto.randomUUID()}`);
  for (const [at, name] of files.entries()) writeFileSync(join(directory, name), `The secret is ${words[at]}.\n`);
  if (agent.seesPictures) writeFileSync(join(directory, "picture.png"), picture);
  const { sim, front, key, model, way } = stage;
  const settings = readSettings(agent.page, { address: front.url, key, model }, way);
  writeSettings(settings, home, directory);
  front.calls.length = 0;
  sim.requests.length = 0;
  sim.setScript(
    agentScript({
      directory,
      read: files,
      ...(agent.seesPictures ? { look: "picture.png" } : {}),
      find: /word-[0-9a-f-]{36}/,
      write: "answer.txt",
      command: "tr a-z A-Z < answer.txt > loud.txt",
      finalText,
    }),
  );
  const begun = performance.now();
  const prompt = "Read notes.txt and more.txt, write the secrets into answer.txt, and make loud.txt of it in capitals.";
  const command = agent.command({ bin: join(stage.modules, ".bin"), prompt });
  const ended = await spawned(settings.shell, command, home, directory);
  const file = (name: string) =>
    existsSync(join(directory, name)) ? readFileSync(join(directory, name), "utf8").trim() : "(no file)";
  const wanted = words.join("\n");
  const own = sim.requests.filter(({ route }) => route?.kind === "generate");
  const faults = [
    ended.code === 0 ? "" : `it ended with ${ended.code}`,
    file("answer.txt") === wanted ? "" : `answer.txt: ${file("answer.txt")}`,
    file("loud.txt") === wanted.toUpperCase() ? "" : `loud.txt: ${file("loud.txt")}`,
    ended.printed.includes(finalText) ? "" : "the last answer was not shown",
    own.length > 0 ? "" : "no request came to the upstream",
    own.every(({ route }) => route?.kind === "generate" && route.protocol === stage.family) ? "" : "another family",
    ...front.calls
      .filter(({ status }) => status >= 400)
      .map(({ line, status, error }) => `${line} was answered ${status}: ${error.slice(0, 300)}`),
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

/** Runs the command after the lines of shell, with nothing of this process's environment but the path. */
async function spawned(
  shell: string,
  command: readonly string[],
  home: string,
  directory: string,
): Promise<{ code: number | string; printed: string }> {
  const child = spawn("sh", ["-c", `${shell}\nexec "$@"`, "sh", ...command], {
    cwd: directory,
    env: {
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: home,
      TERM: "dumb",
      NO_COLOR: "1",
      ...offline,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  // The whole group: what the agent started ends with it.
  const end = () => {
    if (child.pid !== undefined) endGroup(child.pid);
  };
  process.on("exit", end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, limitMs);
  const code = await new Promise<number | string>((done, failed) => {
    child.on("error", failed);
    child.on("close", (status, signal) => done(status ?? signal ?? "nothing"));
  });
  clearTimeout(timer);
  end();
  process.off("exit", end);
  return { code: late ? `nothing within ${limitMs / 1000} s` : code, printed };
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

/** Nobody is reached but this machine: everything else goes to a proxy that is not there. */
const offline = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // A group that is gone has ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
