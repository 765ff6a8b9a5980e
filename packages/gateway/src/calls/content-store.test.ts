import { expect, test } from "vitest";
import { type AuditActor, verifyAuditLog } from "../audit/audit-log.ts";
import { SealError } from "../storage/sealed-value.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { exampleCall } from "../testing/example-rows.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createCallRecorder } from "./call-recorder.ts";
import { type ContentCapture, createContentCapture } from "./content-capture.ts";
import { createContentStore } from "./content-store.ts";

const reader: AuditActor = { kind: "user", id: "usr_1", name: "ada@example.com", address: "127.0.0.1" };
const day = 86_400_000;

async function stored(make: MakeDatabase, settings: { enabled?: boolean; maxBytes?: number } = {}) {
  const scene = await recordedCalls(make);
  const { database } = scene;
  const platform = testPlatform();
  const secret = new TextEncoder().encode("a secret of the tests, long enough");
  const store = createContentStore({
    database,
    secret,
    platform,
    settings: { enabled: true, retentionMs: 7 * day, maxBytes: 4096, ...settings },
  });
  const recorder = createCallRecorder(database);
  return {
    ...scene,
    platform,
    store,
    /** Records a call with its content, in one unit. */
    async settle(id: string, capture: ContentCapture) {
      await database.write([...recorder.statements(exampleCall({ id })), ...(await store.statements(id, capture))]);
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

/** A capture that is there. */
function captured(capture: ContentCapture | null): ContentCapture {
  if (!capture) throw new Error("Nothing is captured");
  return capture;
}

test("S2 nothing is captured unless both the installation and the key want it", async () => {
  for (const enabled of [true, false]) {
    for (const contentLogging of [true, false]) {
      const settings = { enabled, retentionMs: day, maxBytes: 100 };
      // Nothing of the database is asked for.
      const database = {} as Parameters<typeof createContentStore>[0]["database"];
      const store = createContentStore({ database, secret: new Uint8Array(32), platform: testPlatform(), settings });
      expect(store.captureFor({ contentLogging }) !== null).toBe(enabled && contentLogging);
    }
  }
});

test("a capture keeps the first bytes of each part, counts the others, and copies what it keeps", () => {
  const capture = createContentCapture(10);
  const chunk = Buffer.from("abcdef");
  capture.push("client_request", chunk);
  chunk.fill(0);
  capture.push("client_request", "ghijkl");
  capture.push("client_request", "mno");
  capture.push("upstream_answer", "lost");
  capture.restart("upstream_answer");
  capture.push("upstream_answer", "é");
  const parts = capture.parts().map(({ part, bytes, size }) => [part, Buffer.from(bytes).toString("utf8"), size]);
  expect(parts).toEqual([
    ["client_request", "abcdefghij", 15],
    ["upstream_answer", "é", 2],
  ]);
});

describeEngines((make) => {
  test("S2 content reads back redacted, in the order of the wire, and that it was read stands in the audit log", async () => {
    await using scene = await stored(make);
    const capture = captured(scene.store.captureFor({ contentLogging: true }));
    capture.push("client_answer", 'data: {"text":"hello');
    capture.push("client_answer", ' ada@example.org"}\n\n');
    capture.push("client_request", '{"content":"my key is sk-abcdefghijklmnop"}');
    await scene.settle("call_1", capture);
    const contents = await scene.store.read("call_1", reader);
    expect(contents.map(({ part, text, size, cut }) => ({ part, text, size, cut }))).toEqual([
      { part: "client_request", text: '{"content":"my key is [credential]"}', size: 43, cut: false },
      { part: "client_answer", text: 'data: {"text":"hello [e-mail]"}\n\n', size: 40, cut: false },
    ]);
    const events = await scene.database.read.selectFrom("audit_event").selectAll().execute();
    expect(events).toMatchObject([{ action: "call_content.read", target_id: "call_1", actor_id: "usr_1" }]);
    expect(await verifyAuditLog(scene.database)).toEqual({ ok: true, entries: 1 });
  });

  test("S2 S17 what is stored holds neither the text nor what it was redacted from", async () => {
    await using scene = await stored(make);
    const capture = createContentCapture(4096);
    capture.push("upstream_request", "canary-text sk-canaryabcdefghijkl ".repeat(20));
    await scene.settle("call_1", capture);
    const [row] = await scene.database.read.selectFrom("call_content").selectAll().execute();
    const bytes = Buffer.from(row?.bytes ?? []);
    expect(bytes.subarray(0, 2).toString("latin1")).toBe("v1");
    expect(bytes.includes("canary")).toBe(false);
    // Compressed before it was sealed.
    expect(bytes.length).toBeLessThan(120);
  });

  test("S2 half a secret at the place of the cut is not kept", async () => {
    for (const secret of ["ada.lovelace@example.org", "4111 1111 1111 1111", "sk-abcdefghijklmnop", "+49 30 1234567"]) {
      await using scene = await stored(make, { maxBytes: 64 });
      const capture = captured(scene.store.captureFor({ contentLogging: true }));
      const text = `{"text": "${"x".repeat(38)}", "more": "${secret}"}`;
      capture.push("client_request", text);
      await scene.settle("call_1", capture);
      const [content] = await scene.store.read("call_1", reader);
      expect(content).toMatchObject({ cut: true, size: text.length });
      expect(content?.text).toBe(`{"text": "${"x".repeat(38)}", "more": "`);
    }
  });

  test("S17 content that was changed or moved to another call does not open", async () => {
    await using scene = await stored(make);
    for (const id of ["call_1", "call_2"]) {
      const capture = createContentCapture(100);
      capture.push("client_request", `the content of ${id}`);
      await scene.settle(id, capture);
    }
    const { database } = scene;
    const [, second] = await database.read.selectFrom("call_content").selectAll().orderBy("call_id").execute();
    const bytes = Uint8Array.from(second?.bytes ?? []);
    const put = (id: string, value: Uint8Array) =>
      database.write([
        database.build.updateTable("call_content").set({ bytes: value }).where("call_id", "=", id).compile(),
      ]);
    await put("call_1", bytes);
    await expect(scene.store.read("call_1", reader)).rejects.toThrow(SealError);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    await put("call_2", bytes);
    await expect(scene.store.read("call_2", reader)).rejects.toThrow(SealError);
  });

  test("S2 expired content is not shown, even before it is deleted; of an unknown call there is none", async () => {
    await using scene = await stored(make);
    const capture = createContentCapture(100);
    capture.push("client_request", "text");
    await scene.settle("call_1", capture);
    scene.platform.advance(7 * day - 1);
    expect(await scene.store.read("call_1", reader)).toHaveLength(1);
    scene.platform.advance(1);
    expect(await scene.store.read("call_1", reader)).toEqual([]);
    await expect(scene.store.read("call_2", reader)).rejects.toThrow("no such call");
  });

  test("content without its call is refused by the database itself", async () => {
    await using scene = await stored(make);
    const capture = createContentCapture(100);
    capture.push("client_request", "text");
    const orphans = await scene.store.statements("call_none", capture);
    await expect(scene.database.write(orphans)).rejects.toMatchObject({ kind: "constraint" });
  });
});
