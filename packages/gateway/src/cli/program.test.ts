import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine, keyForm } from "../testing/command-line.ts";
import { describePostgres, postgresDatabase } from "../testing/database-engines.ts";

test("S1 config check prints what is in force and no secret", async () => {
  using scene = commandLine(
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
  using scene = commandLine("lisen: x\nserver: { keep_alive: 1 }\n");
  const { code, err } = await scene.run("config", "check");
  expect(code).toBe(1);
  expect(err).toContain("interlingua.yaml:2:1: lisen: unknown setting, did you mean listen?");
  expect(err).toContain("interlingua.yaml:3:11: server.keep_alive: must be a time with its unit");
  expect(existsSync(join(scene.directory.path, "data"))).toBe(false);
});

test("S18 each start invites the first operator by a new link, until there is one", async () => {
  using scene = commandLine("sandbox: true");
  const link = /http:\/\/127\.0\.0\.1:8080\/setup#token=([\w-]{43})/;
  const start = async () => {
    const served = await scene.serve();
    scene.end({ type: "signal", signal: "SIGTERM" });
    await served.code;
    return link.exec(scene.printed.out)?.[1];
  };
  const [first, second] = [await start(), await start()];
  expect(first).toBeDefined();
  expect(second).toBeDefined();
  expect(second).not.toBe(first);
  // The log has neither.
  expect(scene.printed.err).not.toContain(second);
  await scene.run("users", "create-operator", "--email", "ada@example.com");
  expect(await start()).toBeUndefined();
  expect(scene.printed.out).not.toContain("setup");
});

test("S18 the first start makes one key and shows it with commands to paste; the next start does neither", async () => {
  using scene = commandLine("sandbox: true");
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
  using scene = commandLine("sandbox: true");
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
  using scene = commandLine("sandbox: true");
  scene.serveWith({ failed: Promise.resolve(new Error("disk I/O error")) });
  const { code } = await scene.serve();
  expect(await code).toBe(1);
  expect(scene.closes).toEqual([0]);
  expect(scene.printed.err.trimEnd().split("\n").at(-1)).toBe("The gateway had to stop: disk I/O error");
});

test("a port that is taken is told in one line, and no key is made for a start that failed", async () => {
  using scene = commandLine("listen: 127.0.0.1:1\n");
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
  using scene = commandLine("");
  expect(await scene.run("sevre")).toMatchObject({ code: 1, err: expect.stringContaining("Did you mean serve?") });
});

describePostgres("PostgreSQL", () => {
  test("the commands and a first start work on it; keys made by one are seen by the other", async () => {
    using made = await postgresDatabase();
    const env = { INTERLINGUA_SECRET: "a secret of the tests, long enough to be one" };
    using scene = commandLine("sandbox: true", env, made.config.url);
    expect(await scene.run("keys", "create", "--name", "ci")).toMatchObject({ code: 0 });
    const { code, out } = await scene.serve();
    expect(out).not.toMatch(keyForm);
    scene.end({ type: "signal", signal: "SIGTERM" });
    expect(await code).toBe(0);
    expect((await scene.run("keys", "disable", "ci")).out).toMatch(/is disabled/);
    expect((await scene.run("keys", "list")).out).toMatch(/ci +disabled/);
    const { username, password } = new URL(made.config.url);
    expect((await scene.run("config", "check")).out).not.toContain(`${username}:${password}`);
  });

  test("without INTERLINGUA_SECRET it says what is missing: replicas must share one", async () => {
    using made = await postgresDatabase();
    using scene = commandLine("", {}, made.config.url);
    const { code, err } = await scene.run("keys", "list");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^INTERLINGUA_SECRET is not set: .+\n$/) });
  });
});
