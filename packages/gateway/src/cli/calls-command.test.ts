import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { CallRecord } from "../calls/call-record.ts";
import { createCallRecorder } from "../calls/call-recorder.ts";
import { createContentCapture } from "../calls/content-capture.ts";
import { createContentStore } from "../calls/content-store.ts";
import { systemPlatform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { exampleCall, insertKey } from "../testing/example-rows.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { runCommandLine } from "./program.ts";

const secret = "a secret of the tests, long enough to be one";

/** An installation with these calls, and the command line over it. */
async function stage(...calls: Partial<CallRecord>[]) {
  const directory = temporaryDirectory();
  const path = directory.file("calls.db");
  const file = directory.file("interlingua.yaml");
  writeFileSync(file, `database: "sqlite:${path}"\ncalls: { retention: 100d }\n`);
  const platform = systemPlatform();
  const database = await openDatabase({ kind: "sqlite", path });
  await database.write([insertKey(database, "key_1")]);
  const recorder = createCallRecorder(database);
  const settings = { enabled: true, retentionMs: 60_000, maxBytes: 1000 };
  const store = createContentStore({ database, secret: new TextEncoder().encode(secret), platform, settings });
  for (const values of calls) {
    const capture = createContentCapture(1000);
    capture.push("client_request", "the question");
    const call = exampleCall(values);
    await database.write([...recorder.statements(call), ...(await store.statements(call.id, capture))]);
  }
  await database.close();
  return {
    async run(...args: string[]) {
      const printed = { out: "", err: "" };
      const code = await runCommandLine(["calls", ...args, "--config", file], {
        env: { INTERLINGUA_SECRET: secret },
        platform,
        out: (text) => {
          printed.out += text;
        },
        err: (text) => {
          printed.err += text;
        },
        start: () => Promise.reject(new Error("Nothing is served")),
        onEnd: () => undefined,
      });
      return { code, ...printed };
    },
    async auditActions() {
      const opened = await openDatabase({ kind: "sqlite", path });
      const rows = await opened.read.selectFrom("audit_event").select(["action", "actor_name"]).execute();
      await opened.close();
      return rows.map(({ action, actor_name: name }) => `${action} by ${name}`);
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

const now = Date.now();

test("calls list shows the newest first, goes on by its cursor, and filters", async () => {
  using scene = await stage(
    { id: "call_a", startedAt: now - 2000 },
    { id: "call_b", startedAt: now - 1000, status: 429, outcome: "failed", errorKind: "rate_limit" },
  );
  const first = await scene.run("list", "--limit", "1");
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toMatch(/^ID .*\ncall_b .*429 +failed/);
  const cursor = /--cursor (\S+)/.exec(first.err)?.[1] ?? "";
  expect((await scene.run("list", "--cursor", cursor)).out).toMatch(/^ID .*\ncall_a .*\$0\.000000751\n$/);
  expect((await scene.run("list", "--status", "4xx", "--key", "key_1")).out).toContain("call_b");
  expect((await scene.run("list", "--status", "503")).err).toBe("There is no such call.\n");
});

test("calls list --json is JSON with money as exact texts", async () => {
  using scene = await stage({
    id: "call_a",
    startedAt: now,
    charge: 9_007_199_254_740_993n,
    reserved: 9_007_199_254_740_993n,
  });
  const page = JSON.parse((await scene.run("list", "--json")).out);
  expect(page).toMatchObject({ next: null, calls: [{ id: "call_a", charge: "9007199254740993", attempts: [] }] });
});

test("a model's name moves no cursor of the terminal and breaks no line", async () => {
  using scene = await stage({ id: "call_a", startedAt: now, model: "a\u001b[2Jb\nc\u009b" });
  for (const args of [["list"], ["show", "call_a"]]) {
    const { out } = await scene.run(...args);
    expect(out).toContain("a\uFFFD[2Jb\uFFFDc\uFFFD");
  }
});

test("a filter that is none is refused by name; an unknown call is told of", async () => {
  using scene = await stage();
  for (const [option, value] of [
    ["--status", "many"],
    ["--from", "yesterday"],
    ["--limit", "201"],
    ["--client-protocol", "soap"],
    ["--min-charge", "a lot"],
  ] as const) {
    const { code, err } = await scene.run("list", option, value);
    expect(code).toBe(1);
    expect(err).toContain(option);
  }
  expect(await scene.run("list", "--cursor", "x")).toMatchObject({
    code: 1,
    err: "The cursor is not one of a list of calls\n",
  });
  expect(await scene.run("show", "call_none")).toMatchObject({ code: 1, err: 'There is no call "call_none"\n' });
});

test("S2 calls show tells no content unless asked for it, and then it stands in the audit log", async () => {
  using scene = await stage({ id: "call_a", startedAt: now });
  expect((await scene.run("show", "call_a", "--json")).out).not.toContain("the question");
  expect(await scene.auditActions()).toEqual([]);
  const { content } = JSON.parse((await scene.run("show", "call_a", "--json", "--content")).out);
  expect(content).toEqual([{ part: "client_request", size: 12, cut: false, text: "the question" }]);
  expect(await scene.auditActions()).toEqual(["call_content.read by command line"]);
});

test("S2 calls prune deletes what the configuration no longer keeps", async () => {
  using scene = await stage(
    { id: "call_old", startedAt: now - 101 * 86_400_000 },
    { id: "call_young", startedAt: now },
  );
  expect((await scene.run("prune")).out).toContain("Deleted 1 calls");
  expect((await scene.run("list")).out).toMatch(/^ID .*\ncall_young .*\n$/);
});
