import type { JsonObject } from "@interlingua/protocols";
import { expect, test } from "vitest";
import { createCallRecorder } from "../calls/call-recorder.ts";
import type { Config } from "../config/config.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { exampleCall } from "../testing/example-rows.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createStoredResponses } from "./stored-responses.ts";

const account = "acct_default";
const day = 86_400_000;

async function scene(make: MakeDatabase, settings: Partial<Config["storedResponses"]> = {}) {
  const recorded = await recordedCalls(make);
  const platform = testPlatform();
  const told: string[] = [];
  const stored = createStoredResponses({
    database: recorded.database,
    secret: new TextEncoder().encode("a secret of the tests, long enough"),
    platform,
    log: { warn: (message) => told.push(message) },
    settings: { keep: "asked", ttlMs: 30 * day, maxBytes: 100_000, ...settings },
  });
  const answer = (text: string): JsonObject => ({
    id: platform.id("resp"),
    object: "response",
    output: [{ id: platform.id("msg"), type: "message", role: "assistant", content: [{ type: "output_text", text }] }],
  });
  return {
    ...recorded,
    platform,
    stored,
    told,
    answer,
    /** Keeps an answer as a call does; gives its id, or undefined where it is not kept. */
    async keep(input: JsonObject[] | string, response: JsonObject) {
      const body = { store: true, input };
      const keeper = stored.keeperFor(account, { body, size: JSON.stringify(body).length });
      if (!keeper?.keep(JSON.stringify(response))) return undefined;
      await recorded.database.write(await keeper.statements());
      return String(response.id);
    },
    [Symbol.asyncDispose]: () => recorded[Symbol.asyncDispose](),
  };
}

describeEngines((make) => {
  test("R1 an answer and its input read back; what the input left out is filled in as it is listed", async () => {
    await using opened = await scene(make);
    const { keep, stored, answer } = opened;
    const response = answer("Hé, 日本");
    const id = await keep(
      [
        { role: "user", content: "Hi" },
        { type: "function_call_output", id: "fco_own", call_id: "c1", output: "x" },
      ],
      response,
    );
    const found = await stored.read(account, id ?? "");
    expect(found?.response).toEqual(response);
    const text = { type: "input_text", text: "Hi" };
    expect(found?.input).toEqual([
      { id: expect.stringMatching(/^msg_/), type: "message", role: "user", status: "completed", content: [text] },
      { type: "function_call_output", id: "fco_own", call_id: "c1", output: "x" },
    ]);
  });

  test("R1 another account finds nothing, reads no item and deletes nothing", async () => {
    await using opened = await scene(make);
    const { keep, stored, answer } = opened;
    const response = answer("mine");
    const id = (await keep("Hi", response)) ?? "";
    const [item] = Array.isArray(response.output) ? response.output : [];
    const itemId = String((item as JsonObject).id);
    expect(await stored.read("acct_other", id)).toBeUndefined();
    expect((await stored.findItems("acct_other", [itemId])).size).toBe(0);
    expect(await stored.remove("acct_other", id)).toBe(false);
    expect((await stored.findItems(account, [itemId])).get(itemId)).toEqual(item);
    expect(await stored.read(account, id)).toBeDefined();
  });

  test("R1 a row that was moved to another account or changed does not open", async () => {
    await using opened = await scene(make);
    const { keep, stored, answer, database } = opened;
    const id = (await keep("Hi", answer("mine"))) ?? "";
    const other = (await keep("Ho", answer("other"))) ?? "";
    const row = await database.read
      .selectFrom("stored_response")
      .selectAll()
      .where("id", "=", other)
      .executeTakeFirst();
    expect(Buffer.from(row?.bytes ?? []).toString("latin1")).not.toContain("other");
    const swap = database.build
      .updateTable("stored_response")
      .set({ bytes: row?.bytes ?? new Uint8Array() })
      .where("id", "=", id);
    await database.write([swap.compile()]);
    expect(await stored.read(account, id)).toBeUndefined();
    expect(opened.told).toEqual(["a stored response cannot be opened"]);
  });

  test("R1 what has expired or was deleted is not there, nor are its items", async () => {
    await using opened = await scene(make);
    const { keep, stored, answer, platform } = opened;
    const [first, second] = [answer("a"), answer("b")];
    const [gone, old] = [(await keep("Hi", first)) ?? "", (await keep("Hi", second)) ?? ""];
    expect(await stored.remove(account, gone)).toBe(true);
    expect(await stored.remove(account, gone)).toBe(false);
    expect(await stored.read(account, gone)).toBeUndefined();
    platform.advance(30 * day - 1);
    expect(await stored.read(account, old)).toBeDefined();
    platform.advance(1);
    expect(await stored.read(account, old)).toBeUndefined();
    expect(await stored.remove(account, old)).toBe(false);
    const ids = [first, second].map(({ output }) =>
      String((Array.isArray(output) ? (output[0] as JsonObject) : {}).id),
    );
    expect((await stored.findItems(account, ids)).size).toBe(0);
  });

  test("R1 what is larger than the bound with its input is not kept, and says so", async () => {
    await using opened = await scene(make, { maxBytes: 1000 });
    const { stored, answer } = opened;
    const request = (size: number) => ({ body: { store: true, input: "x".repeat(size) }, size });
    expect(stored.keeperFor(account, request(1001))).toBeUndefined();
    const keeper = stored.keeperFor(account, request(500));
    expect(keeper?.keep(JSON.stringify(answer("y".repeat(500))))).toBe(false);
    expect(await keeper?.statements()).toEqual([]);
    expect(keeper?.keep(JSON.stringify(answer("y")))).toBe(true);
    expect(await keeper?.statements()).toHaveLength(2);
  });

  test("R2 who is heard: only a wish, silence too, or nobody", async () => {
    await using recorded = await scene(make);
    const heard = async (keep: Config["storedResponses"]["keep"], body: JsonObject) => {
      const stored = createStoredResponses({
        database: recorded.database,
        secret: new Uint8Array(32),
        platform: recorded.platform,
        log: { warn: () => undefined },
        settings: { keep, ttlMs: 1, maxBytes: 1000 },
      });
      return stored.keeperFor(account, { body, size: 1 }) !== undefined;
    };
    const bodies: JsonObject[] = [{ store: true }, {}, { store: null }, { store: false }];
    const of = (keep: Config["storedResponses"]["keep"]) => Promise.all(bodies.map((body) => heard(keep, body)));
    expect(await of("asked")).toEqual([true, false, false, false]);
    expect(await of("default")).toEqual([true, true, true, false]);
    expect(await of("never")).toEqual([false, false, false, false]);
  });

  test("R2 M1 an answer is kept with its call's record or not at all", async () => {
    await using opened = await scene(make);
    const { stored, answer, database } = opened;
    const recorder = createCallRecorder(database);
    const response = answer("once");
    const keeper = stored.keeperFor(account, { body: { store: true, input: "Hi" }, size: 1 });
    keeper?.keep(JSON.stringify(response));
    await database.write(recorder.statements(exampleCall({ id: "call_1" })));
    const unit = [...recorder.statements(exampleCall({ id: "call_1" })), ...((await keeper?.statements()) ?? [])];
    await expect(database.write(unit)).rejects.toMatchObject({ kind: "constraint" });
    expect(await stored.read(account, String(response.id))).toBeUndefined();
  });

  test("R5 the items of very many answers are found, however many are asked for at once", async () => {
    await using opened = await scene(make);
    const { keep, stored, answer, platform } = opened;
    const items = Array.from({ length: 1200 }, () => ({ id: platform.id("msg"), type: "message", role: "assistant" }));
    await keep("Hi", { ...answer("many"), output: items });
    const found = await stored.findItems(account, [...items.map(({ id }) => id), platform.id("msg")]);
    expect([...found.values()]).toEqual(items);
  });

  test("R5 an item that is said again is found in the newest answer, also when the older one is gone", async () => {
    await using opened = await scene(make);
    const { keep, stored, answer, platform } = opened;
    const first = answer("a");
    const output = first.output as JsonObject[];
    const item = output[0] ?? {};
    const gone = (await keep("Hi", first)) ?? "";
    platform.advance(1);
    await keep("Hi", { ...answer("b"), output: [item] });
    await stored.remove(account, gone);
    expect((await stored.findItems(account, [String(item.id), "msg_unknown"])).get(String(item.id))).toEqual(item);
  });
});
