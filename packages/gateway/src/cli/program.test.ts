import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../config/substitute-environment.ts";
import { systemPlatform } from "../platform.ts";
import { describePostgres, postgresDatabase } from "../testing/database-engines.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import type { CommandContext, EndCause, ServedGateway } from "./context.ts";
import { runCommandLine } from "./program.ts";

const keyForm = /ilk_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/;

/** A directory with a configuration, and the command line run over it. */
function stage(yaml: string, env: Environment = {}, database?: string) {
  const directory = temporaryDirectory();
  const file = directory.file("interlingua.yaml");
  writeFileSync(file, `database: ${database ?? `sqlite:${directory.file("data/a.db")}`}\n${yaml}`);
  const printed = { out: "", err: "" };
  const listeners: ((cause: EndCause) => void)[] = [];
  const closes: (number | undefined)[] = [];
  let gateway: Partial<ServedGateway> & { refuse?: Error } = {};
  const context: CommandContext = {
    env,
    platform: systemPlatform(),
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    async start() {
      if (gateway.refuse) throw gateway.refuse;
      return {
        address: "http://127.0.0.1:8080",
        close: async (options) => {
          closes.push(options?.drainMs);
        },
        ...gateway,
      };
    },
    onEnd: (listener) => listeners.push(listener),
  };
  return {
    directory,
    printed,
    closes,
    serveWith(values: typeof gateway) {
      gateway = values;
    },
    end: (cause: EndCause) => {
      for (const listener of listeners) listener(cause);
    },
    async run(...args: string[]) {
      printed.out = "";
      printed.err = "";
      const code = await runCommandLine([...args, "--config", file], context);
      return { code, ...printed };
    },
    /** Serves until it listens; gives what it printed so far and the exit code to come. */
    async serve() {
      printed.out = "";
      const code = runCommandLine(["serve", "--config", file], context);
      while (!printed.out.includes("listening")) await new Promise((resolve) => setImmediate(resolve));
      return { code, out: printed.out };
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

test("S1 config check prints what is in force and no secret", async () => {
  using scene = stage(
    `
channels:
  - name: openai
    protocols: [responses]
    base_url: https://api.openai.com/v1
    api_key: \${KEY}
    headers: { X-Tenant: canary-header }
    models: [gpt-5.2]
access_keys: [{ name: ci, key: canary-access-key-0123456789-0123456789 }]
`,
    { KEY: "canary-provider", INTERLINGUA_SECRET: "canary-secret-0123456789-0123456789" },
  );
  const { code, out, err } = await scene.run("config", "check");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).not.toContain("canary");
  expect(out).toContain("base_url: https://api.openai.com/v1");
  expect(out).toContain('x-tenant: "***"');
});

test("config check exits 1 with every mistake, and makes no database", async () => {
  using scene = stage("lisen: x\nserver: { keep_alive: 1 }\n");
  const { code, err } = await scene.run("config", "check");
  expect(code).toBe(1);
  expect(err).toContain("interlingua.yaml:2:1: lisen: unknown setting, did you mean listen?");
  expect(err).toContain("interlingua.yaml:3:11: server.keep_alive: must be a time with its unit");
  expect(existsSync(join(scene.directory.path, "data"))).toBe(false);
});

test("keys create prints the key alone on standard output, once; a list never shows it", async () => {
  using scene = stage("");
  const created = await scene.run("keys", "create", "--name", "ci");
  expect(created.code).toBe(0);
  expect(created.out).toMatch(new RegExp(`^${keyForm.source}\n$`));
  expect(created.err).toContain("shown only now");
  const listed = await scene.run("keys", "list");
  expect(listed.out).toMatch(/key_\w+ +ci +enabled/);
  expect(listed.out).not.toContain("ilk_");
});

test("keys disable and enable work by name, and say when there is no such key", async () => {
  using scene = stage("");
  await scene.run("keys", "create", "--name", "ci");
  expect((await scene.run("keys", "disable", "ci")).out).toMatch(/"ci" \(key_\w+\) is disabled/);
  expect((await scene.run("keys", "list")).out).toContain("disabled");
  expect((await scene.run("keys", "enable", "ci")).out).toContain("is enabled");
  const unknown = await scene.run("keys", "disable", "nobody");
  expect(unknown).toEqual({ code: 1, out: "", err: 'There is no access key "nobody"\n' });
});

test("keys create and keys limit set what a key may use; default takes it back", async () => {
  using scene = stage("");
  const limits = ["--requests-per-minute", "60", "--concurrency", "5"];
  expect((await scene.run("keys", "create", "--name", "ci", ...limits)).code).toBe(0);
  expect((await scene.run("keys", "list")).out).toMatch(/ci +enabled +- +60\/-\/5/);
  const changed = await scene.run("keys", "limit", "ci", "--tokens-per-minute", "1000", "--concurrency", "default");
  expect(changed.out).toMatch(
    /"ci" \(key_\w+\) has the limits: 60 requests a minute, 1000 tokens a minute, default calls at once\./,
  );
  expect((await scene.run("keys", "list")).out).toMatch(/ci +enabled +- +60\/1000\/-/);
});

test.each(["0", "-1", "1.5", "many", "1000000001", ""])("keys limit refuses %j and names the option", async (value) => {
  using scene = stage("");
  await scene.run("keys", "create", "--name", "ci");
  const { code, err } = await scene.run("keys", "limit", "ci", `--concurrency=${value}`);
  expect(code).toBe(1);
  expect(err).toContain("--concurrency");
  expect((await scene.run("keys", "list")).out).toMatch(/ci +enabled +- +-\/-\/-/);
});

test("keys limit says which limit or key is missing", async () => {
  using scene = stage("");
  await scene.run("keys", "create", "--name", "ci");
  expect(await scene.run("keys", "limit", "ci")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Say which limit: --requests-per-minute/),
  });
  const unknown = await scene.run("keys", "limit", "nobody", "--concurrency", "1");
  expect(unknown).toMatchObject({ code: 1, err: 'There is no access key "nobody"\n' });
});

test("S18 the first start makes one key and shows it with commands to paste; the next start does neither", async () => {
  using scene = stage("sandbox: true");
  const first = await scene.serve();
  const key = keyForm.exec(first.out)?.[0] ?? "none";
  expect(first.out).toContain(`-H "Authorization: Bearer ${key}"`);
  expect(first.out).toContain("curl http://127.0.0.1:8080/v1/chat/completions");
  expect(first.out).toContain('"model":"sandbox"');
  for (const sdk of ["openai", "@anthropic-ai/sdk", "@google/genai"]) expect(first.out).toContain(`from "${sdk}"`);
  scene.end({ type: "signal", signal: "SIGTERM" });
  expect(await first.code).toBe(0);
  expect(scene.closes).toEqual([120_000]);

  const second = await scene.serve();
  expect(second.out).not.toMatch(keyForm);
  expect(second.out).toContain("Bearer $INTERLINGUA_KEY");
  scene.end({ type: "signal", signal: "SIGINT" });
  await second.code;
});

test("O4 a second signal ends at once", async () => {
  using scene = stage("sandbox: true");
  scene.serveWith({
    close: (options) => {
      scene.closes.push(options?.drainMs);
      return options?.drainMs === 0 ? Promise.resolve() : new Promise(() => {});
    },
  });
  const { code } = await scene.serve();
  scene.end({ type: "signal", signal: "SIGTERM" });
  while (scene.closes.length === 0) await new Promise((resolve) => setImmediate(resolve));
  scene.end({ type: "signal", signal: "SIGTERM" });
  expect(await code).toBe(0);
  expect(scene.closes).toEqual([120_000, 0]);
});

test("D6 O7 a gateway that cannot go on is ended without a drain, exit code 1", async () => {
  using scene = stage("sandbox: true");
  scene.serveWith({ failed: Promise.resolve(new Error("disk I/O error")) });
  const { code } = await scene.serve();
  expect(await code).toBe(1);
  expect(scene.closes).toEqual([0]);
  expect(scene.printed.err.trimEnd().split("\n").at(-1)).toBe("The gateway had to stop: disk I/O error");
});

test("a port that is taken is told in one line, and no key is made for a start that failed", async () => {
  using scene = stage("listen: 127.0.0.1:1\n");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const taken = await new Promise<Error>((resolve) => {
    const address = server.address();
    const second = createServer().on("error", resolve);
    second.listen(typeof address === "object" ? address?.port : 0, "127.0.0.1");
  });
  server.close();
  scene.serveWith({ refuse: taken });
  const { code, err } = await scene.run("serve");
  expect(code).toBe(1);
  expect(err.trimEnd().split("\n").at(-1)).toBe(
    '127.0.0.1:1 is taken: stop what listens there, or set another "listen" in the configuration',
  );
  expect(existsSync(join(scene.directory.path, "data"))).toBe(false);
});

test("a command that does not exist is told, with exit code 1", async () => {
  using scene = stage("");
  expect(await scene.run("sevre")).toMatchObject({ code: 1, err: expect.stringContaining("Did you mean serve?") });
});

describePostgres("PostgreSQL", () => {
  test("the commands and a first start work on it; keys made by one are seen by the other", async () => {
    using made = await postgresDatabase();
    const env = { INTERLINGUA_SECRET: "a secret of the tests, long enough to be one" };
    using scene = stage("sandbox: true", env, made.config.url);
    expect(await scene.run("keys", "create", "--name", "ci")).toMatchObject({ code: 0 });
    const { code, out } = await scene.serve();
    expect(out).not.toMatch(keyForm);
    scene.end({ type: "signal", signal: "SIGTERM" });
    expect(await code).toBe(0);
    expect((await scene.run("keys", "disable", "ci")).out).toMatch(/is disabled/);
    expect((await scene.run("keys", "list")).out).toMatch(/ci +disabled/);
    expect((await scene.run("config", "check")).out).not.toContain(new URL(made.config.url).password);
  });

  test("without INTERLINGUA_SECRET it says what is missing: replicas must share one", async () => {
    using made = await postgresDatabase();
    using scene = stage("", {}, made.config.url);
    const { code, err } = await scene.run("keys", "list");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^INTERLINGUA_SECRET is not set: .+\n$/) });
  });
});
