import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createAuthenticator } from "../accounts/authenticator.ts";
import { loadConfig } from "../config/load-config.ts";
import { systemEvery, systemPlatform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { runProgram } from "../testing/run-program.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";

/* The command line as real processes: what one does, another must see. */

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
/** The environment without what would change the outcome on a developer's machine. */
const env = { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: "1" };

function stage(listen: string) {
  const directory = temporaryDirectory();
  const file = directory.file("interlingua.yaml");
  const settings = ["drain: { delay: 0s, timeout: 1s }", "sandbox: true", `listen: ${listen}`];
  writeFileSync(file, [`database: sqlite:${directory.file("data/a.db")}`, ...settings].join("\n"));
  return {
    file,
    run: (...args: string[]) => runProgram(process.execPath, [main, ...args, "--config", file], { env }),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

/** A gateway in a process of its own, once it has said where it listens. */
async function serve(file: string) {
  const child = spawn(process.execPath, [main, "serve", "--config", file], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  while (!out.includes("console.log(answer.text)")) {
    await Promise.race([once(child.stdout, "data"), ended]);
    if (child.exitCode !== null) throw new Error(`The gateway ended: ${err}`);
  }
  const found = /listening on (http:\S+)/.exec(out)?.[1] ?? "";
  return {
    address: found,
    port: Number(new URL(found).port),
    key: /ilk_\w+/.exec(out)?.[0] ?? "",
    async stop(signal: NodeJS.Signals) {
      child.kill(signal);
      const [code] = await ended;
      return { code, err };
    },
  };
}

test("A1 a key that another process disables is refused within a second of the acknowledged change", async () => {
  using scene = stage("127.0.0.1:0");
  const key = (await scene.run("keys", "create", "--name", "ci")).stdout.trim();
  const config = await loadConfig({ file: scene.file, env: {} });
  const database = await openDatabase(config.database);
  const platform = systemPlatform();
  const log = createLog({ now: platform.now, level: "silent" });
  const authenticator = await createAuthenticator({ database, config, platform, every: systemEvery, log });
  expect(await authenticator.authenticate(key, "127.0.0.1")).toMatchObject({ ok: true });

  expect(await scene.run("keys", "disable", "ci")).toMatchObject({ code: 0, stderr: "" });
  const acknowledged = performance.now();
  while ((await authenticator.authenticate(key, "127.0.0.1")).ok) await new Promise((resolve) => setImmediate(resolve));
  expect(performance.now() - acknowledged).toBeLessThan(1000);
  await authenticator.close();
  await database.close();
});

test("a first start answers a call with the key it printed, and ends on SIGTERM with exit code 0", async () => {
  using scene = stage("127.0.0.1:0");
  const gateway = await serve(scene.file);
  const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 200,
    body: { choices: [{ message: { role: "assistant" } }] },
  });
  const { code, err } = await gateway.stop("SIGTERM");
  expect(code).toBe(0);
  expect(err).not.toContain(gateway.key);
});

test("a port that is taken ends the start with one line and exit code 1", async () => {
  using first = stage("127.0.0.1:0");
  const gateway = await serve(first.file);
  using second = stage(`127.0.0.1:${gateway.port}`);
  const { code, stdout, stderr } = await second.run("serve");
  const plain = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(plain).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ is taken: stop what listens there/)]);
  await gateway.stop("SIGINT");
});

test("--version and --help need no configuration", async () => {
  const version = await runProgram(process.execPath, [main, "--version"], { env });
  expect(version).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
  const help = await runProgram(process.execPath, [main, "--help"], { env });
  expect(help.code).toBe(0);
  for (const command of ["serve", "keys", "config"]) expect(help.stdout).toContain(command);
});
