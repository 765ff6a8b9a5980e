import { expect, test } from "vitest";
import { StorageError } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { describeEngines, type MakeDatabase, sqliteDatabase } from "../testing/database-engines.ts";
import { startTestConsole } from "../testing/test-console.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { ManagementError, notFound } from "./failure.ts";
import { answerLife, createFirstAnswers, sweepFirstAnswers } from "./first-answers.ts";

async function scene(make: MakeDatabase = sqliteDatabase) {
  const made = await make();
  const database = await openDatabase(made.config);
  const platform = testPlatform();
  const lines: string[] = [];
  const log = createLog({ now: platform.now, destination: { write: (line) => lines.push(line) } });
  const secret = {
    bytes: new TextEncoder().encode("0123456789abcdef0123456789abcdef"),
    origin: "environment",
  } as const;
  let runs = 0;
  return {
    database,
    platform,
    answers: createFirstAnswers({ database, platform, secret, log }),
    request: { caller: "usr_1", target: "/api/v1/things", key: "one", body: { name: "a" } },
    runs: () => runs,
    work: async () => {
      runs += 1;
      return { status: 201, body: { secret: `shown once ${runs}` } };
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      made[Symbol.dispose]();
    },
  };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ManagementError ? error.code : "none";
}

describeEngines((make) => {
  test("a request that is sent again gets the first answer, and nothing is done twice", async () => {
    await using place = await scene(make);
    const { answers, request, work } = place;
    const first = await answers.run(request, work);
    expect(await answers.run(request, work)).toEqual({ ...first, headers: { "idempotent-replayed": "true" } });
    expect(place.runs()).toBe(1);
    // Another caller's, route's or key's is another request.
    for (const change of [{ caller: "usr_2" }, { target: "/api/v1/others" }, { key: "two" }]) {
      await answers.run({ ...request, ...change }, work);
    }
    expect(place.runs()).toBe(4);
    expect(await codeOf(answers.run({ ...request, body: { name: "b" } }, work))).toBe("idempotency_key_reused");
    expect(place.runs()).toBe(4);
  });

  test("of many at once one does the work", async () => {
    await using place = await scene(make);
    const { answers, request, work } = place;
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(answers.run(request, work))));
    expect(place.runs()).toBe(1);
    expect(codes.filter((code) => code !== "none" && code !== "in_progress")).toEqual([]);
  });

  test("S1 an answer that tells a secret is stored sealed, and is gone after a day", async () => {
    await using place = await scene(make);
    const { answers, request, work, database, platform } = place;
    await answers.run(request, work);
    const rows = await database.read.selectFrom("first_answer").selectAll().execute();
    expect(rows).toHaveLength(1);
    for (const { answer } of rows) expect(Buffer.from(answer ?? []).toString("latin1")).not.toContain("shown once");
    await sweepFirstAnswers(database, platform.now() + answerLife - 1);
    expect(await database.read.selectFrom("first_answer").selectAll().execute()).toHaveLength(1);
    await sweepFirstAnswers(database, platform.now() + answerLife);
    expect(await database.read.selectFrom("first_answer").selectAll().execute()).toEqual([]);
  });
});

test("what was refused may be sent again; what broke inside may have been done, and is not", async () => {
  await using place = await scene();
  const { answers, request, work } = place;
  const failing = (error: Error) => answers.run(request, () => Promise.reject(error)).catch(() => undefined);
  await failing(notFound());
  await failing(new StorageError("condition", "changed meanwhile"));
  expect((await answers.run(request, work)).status).toBe(201);
  const other = { ...request, key: "two" };
  await answers.run(other, () => Promise.reject(new StorageError("unavailable", "lost"))).catch(() => undefined);
  expect(await codeOf(answers.run(other, work))).toBe("in_progress");
  place.platform.stall(10 * 60_000);
  expect(await codeOf(answers.run(other, work))).toBe("outcome_unknown");
  expect(place.runs()).toBe(1);
});

test.each(["", "ä", "a".repeat(256), "a\nb"])("the key %j is refused", async (key) => {
  await using place = await scene();
  expect(await codeOf(place.answers.run({ ...place.request, key }, place.work))).toBe("invalid_request");
});

test("over HTTP: a token is made once, and told again to who sends the same key", async () => {
  await using place = await startTestConsole(await sqliteDatabase());
  const system = { kind: "command", id: null, name: "command line", address: null } as const;
  const ada = { email: "ada@example.com", name: "Ada", password: "a long and good one" };
  await place.users.create(ada, { operator: true }, system);
  const browser = place.browser();
  await browser.signIn(ada.email, ada.password);
  const wanted = { name: "ci", access: "read", role: "operator", account_ids: null, expires_at: null };
  const make = (body: object) => browser.post("/api/v1/me/api-tokens", body, { "idempotency-key": "k1" });
  const first = await make(wanted);
  const second = await make(wanted);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect((await browser.get("/api/v1/me/api-tokens")).body.items).toHaveLength(1);
  expect(await make({ ...wanted, name: "other" })).toMatchObject({
    status: 409,
    body: { error: { code: "idempotency_key_reused", field: "idempotency-key" } },
  });
});
