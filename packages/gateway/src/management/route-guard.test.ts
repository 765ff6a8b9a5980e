import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { loadConfig } from "../config/load-config.ts";
import { createListener } from "../http/listener.ts";
import { systemEvery } from "../platform.ts";
import { type Database, StorageError } from "../storage/database.ts";
import { createLog } from "../telemetry/log.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import type { Caller } from "./caller.ts";
import { createRequestMeter } from "./rate-class.ts";
import type { ManagementRoute } from "./routes.ts";
import { createManagementServer } from "./server.ts";

const caller: Caller = {
  userId: "usr_1",
  sessionId: "ses_1",
  email: "ada@example.com",
  name: "Ada",
  operator: true,
  twoFactorEnabled: false,
  memberships: [],
};

/** One route behind a real listener, for a caller who may do everything. */
async function scene(handle: ManagementRoute["handle"]) {
  const platform = testPlatform();
  const timers = createTimerWheel(systemEvery, platform.monotonic);
  const log: string[] = [];
  const settings = await loadConfig({
    env: {},
    fileSystem: { read: async () => undefined },
    localModels: async () => [],
  });
  const server = await createManagementServer({
    routes: [
      {
        method: "POST",
        path: "/api/v1/things",
        auth: "session",
        role: "operator",
        scope: "installation",
        bodyBytes: 100,
        rate: "write",
        audit: "thing.changed",
        handle,
      },
    ],
    settings,
    // The entry's statement is made, and written by no one.
    database: { build: { insertInto: () => ({ values: () => ({ compile: () => ({}) }) }) } } as unknown as Database,
    platform,
    callers: { find: async () => caller, csrfToken: () => "good", isCsrfToken: () => true },
    apiTokens: { find: async () => undefined },
    firstAnswers: { run: (_request, work) => work() },
    meter: createRequestMeter(platform.monotonic),
    url: null,
    timers,
    log: createLog({ now: platform.now, destination: { write: (line) => log.push(line) } }),
  });
  const listener = createListener({
    settings,
    requestId: () => "raw",
    onRequest: (message, response) => server.handle(message, response, "req_1"),
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  // Of a TCP server, once it listens.
  const { port } = listener.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    log,
    platform,
    post: (body: unknown) =>
      fetch(`${origin}/api/v1/things`, {
        method: "POST",
        headers: { origin, cookie: "sid=1", "x-csrf-token": "good", "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      await server.close();
      timers.close();
    },
  };
}

const nothing = { target: null, accountId: null };

test("S16 a change that leaves no entry in the audit log is a fault, not a success", async () => {
  await using silent = await scene(async () => ({ body: { changed: true } }));
  const answer = await silent.post({});
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    error: { code: "internal_error", message: "The request failed inside the gateway.", request_id: "req_1" },
  });
  expect(silent.log.join()).toContain("without an audit entry");

  await using recorded = await scene(async (call) => {
    call.audit(nothing);
    return { status: 201, body: { changed: true } };
  });
  expect((await recorded.post({})).status).toBe(201);
});

test("D1 a database that is away is told as such, and what it said stays here", async () => {
  await using place = await scene(() => Promise.reject(new StorageError("unavailable", "no host db.internal")));
  const answer = await place.post({});
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(await answer.text()).not.toContain("db.internal");
});

test("C13 one user's changes are bounded, so that a page gone wild leaves the database to the calls", async () => {
  await using place = await scene(async (call) => {
    call.audit(nothing);
    return {};
  });
  const statuses: number[] = [];
  for (let turn = 0; turn < 121; turn++) statuses.push((await place.post({})).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  expect(statuses.at(-1)).toBe(429);
  place.platform.stall(1000);
  expect((await place.post({})).status).toBe(200);
});

test("C5 a body over the route's size is refused", async () => {
  await using place = await scene(async () => ({}));
  expect((await place.post({ text: "x".repeat(100) })).status).toBe(413);
});
