import { expect, it } from "vitest";
import type { AttemptRecord, CallRecord } from "../../calls/call-record.ts";
import { createCallRecorder } from "../../calls/call-recorder.ts";
import { hourMs } from "../../calls/usage-hour.ts";
import { createCatalogue, type OfferingChannel } from "../../catalogue/published-models.ts";
import { createAvailabilityRollUp, dayMs, dayOf } from "../../status/availability-roll-up.ts";
import { describeEngines, sqliteDatabase } from "../../testing/database-engines.ts";
import { exampleCall, insertKey } from "../../testing/example-rows.ts";
import { startTestConsole, type TestConsole } from "../../testing/test-console.ts";

const offering = (name: string, models: string[], more: Partial<OfferingChannel> = {}): OfferingChannel => ({
  name,
  protocols: ["messages"],
  models: models.map((id) => ({ id })),
  setting: "operational",
  ...more,
});

const channels = [
  offering("secret-name-one", ["m", "claude-*"]),
  offering("two", ["m", "n"], { setting: "under_observation", protocols: ["responses", "chat-completions"] }),
  offering("off", ["hidden"], { setting: "disabled" }),
];

const attempt = (channel: string, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  channel,
  upstreamProtocol: "messages",
  upstreamModel: "upstream",
  lane: "direct",
  started: 1,
  connect: 2,
  firstByte: 20,
  end: 300,
  status: 200,
  errorKind: null,
  errorCode: null,
  possiblyBilled: false,
  ...more,
});

let made = 0;

/** Records as many calls, all to one channel. */
async function record(
  { database }: TestConsole,
  count: number,
  channel: string,
  { fault = false, ...more }: Partial<CallRecord> & { fault?: boolean } = {},
): Promise<void> {
  const recorder = createCallRecorder(database);
  await Promise.all(
    Array.from({ length: count }, () => {
      made += 1;
      const call = exampleCall({
        id: `call_${made}`,
        model: "m",
        channel,
        attempts: [attempt(channel, fault ? { errorKind: "timeout", status: null } : {})],
        ...(fault ? { outcome: "failed", errorKind: "timeout", status: 504 } : {}),
        ...more,
      });
      return database.write(recorder.statements(call), { order: recorder.order(call) });
    }),
  );
}

async function withKey(test: TestConsole): Promise<void> {
  await test.database.write([insertKey(test.database, "key_1")]);
}

async function rollUp({ database, platform }: TestConsole): Promise<void> {
  const every = () => () => undefined;
  const log = { warn: () => undefined };
  const catalogue = createCatalogue(() => channels, 0);
  await createAvailabilityRollUp({ database, catalogue, platform, every, log }).run();
}

describeEngines((make) => {
  it("tells the state of channels and models by what calls met, without a sign-in", async () => {
    await using test = await startTestConsole(await make(), { channels });
    await withKey(test);
    // Far from midnight, so that a minute ago is today.
    test.platform.shift(dayOf(test.platform.now()) + 36 * hourMs - test.platform.now());
    const now = test.platform.now();
    await record(test, 30, "secret-name-one", { startedAt: now - dayMs });
    await record(test, 3, "secret-name-one", { startedAt: now - 60_000 });
    await record(test, 9, "secret-name-one", { startedAt: now - 60_000, fault: true });
    await record(test, 9, "two", { startedAt: now - 60_000, model: "n" });
    await rollUp(test);
    const { status, body } = await test.browser().get("/api/v1/public/status");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "partly_down",
      shown_channels: "names",
      channels: [
        { number: 1, name: "secret-name-one", state: "down", under_observation: false, availability: 78.5 },
        { number: 2, name: "two", state: "under_observation", under_observation: true, availability: null },
        { number: 3, name: "off", state: "disabled", availability: null, days: [] },
      ],
      models: [
        { id: "m", pattern: false, state: "down" },
        { id: "claude-*", pattern: true, state: "unknown", days: [] },
        { id: "n", pattern: false, state: "under_observation", under_observation: true },
      ],
      incidents: [],
    });
    // Of the day with few calls there is a state, and no percentage.
    expect(body.channels[0].days).toMatchObject([
      { state: "operational", availability: 100 },
      { state: "down", availability: null },
    ]);
    expect(body.models.map(({ id }: { id: string }) => id)).not.toContain("hidden");
  });

  it("S1 shows channels as the operator wants, and never a number of calls", async () => {
    for (const shown of ["numbers", "hidden"] as const) {
      await using test = await startTestConsole(await make(), { channels, status: { channels: shown } });
      await withKey(test);
      await record(test, 7, "secret-name-one", { startedAt: test.platform.now() - hourMs });
      await rollUp(test);
      await operator(test).then((browser) =>
        browser.post("/api/v1/incidents", { title: "Slow", severity: "minor", channels: ["secret-name-one"] }),
      );
      for (const path of ["/api/v1/public/status", "/api/v1/public/models", "/status.json", "/status.rss"]) {
        const { status, body } = await test.browser().get(path);
        expect(status).toBe(200);
        const text = JSON.stringify(body);
        expect(text).not.toContain("secret-name-one");
        expect(text).not.toMatch(/attempts|faults|"calls"/);
      }
      const { body } = await test.browser().get("/api/v1/public/status");
      expect(body.channels).toHaveLength(shown === "numbers" ? 3 : 0);
      expect(body.incidents[0].channels).toEqual(shown === "numbers" ? [{ number: 1, name: null }] : []);
      expect((await test.browser().get("/api/v1/public/models")).body.items[0]).toMatchObject({
        id: "m",
        channel_count: 2,
        channels:
          shown === "numbers"
            ? [
                { number: 1, name: null },
                { number: 2, name: null },
              ]
            : [],
      });
    }
  });

  it("tells of a model what reaches it, and how fast it was", async () => {
    await using test = await startTestConsole(await make(), { channels });
    await withKey(test);
    const timings = { admission: 0, connect: 1, firstByte: 90, firstToken: 150, end: 1150 };
    const usage = { input: { uncached: 1 }, output: { total: 40 } };
    await record(test, 6, "secret-name-one", { startedAt: test.platform.now() - hourMs, timings, usage });
    await rollUp(test);
    const { body } = await test.browser().get("/api/v1/public/models");
    expect(body.items).toMatchObject([
      {
        id: "m",
        families: [
          { protocol: "chat-completions", lane: "direct" },
          { protocol: "responses", lane: "direct" },
          { protocol: "messages", lane: "direct" },
          { protocol: "generate-content", lane: "converted" },
        ],
        price: null,
        speed: { first_token_p50_ms: 150, output_tokens_per_second: 40, few: true },
        state: "operational",
        availability: null,
      },
      { id: "claude-*", pattern: true, speed: null, price: null },
      { id: "n", under_observation: true, speed: null },
    ]);
  });

  it("shows incidents to everybody as soon as operators write them, and records who did", async () => {
    await using test = await startTestConsole(await make(), { channels });
    const browser = await operator(test);
    const reader = test.browser();
    const before = await reader.get("/api/v1/public/status");
    expect(before.body.incidents).toEqual([]);
    // A browser that kept it would show its user's own note too late.
    expect(before.headers.get("cache-control")).toBe("no-store");
    const created = await browser.post("/api/v1/incidents", {
      title: "Answers <b>break</b> off",
      body: "We look into it.",
      severity: "major",
      channels: ["two"],
      models: ["n"],
    });
    expect(created).toMatchObject({ status: 201, body: { severity: "major", resolved_at: null, updates: [] } });
    const { id } = created.body;
    expect((await reader.get("/api/v1/public/status")).body.incidents).toMatchObject([
      { id, title: "Answers <b>break</b> off", channels: [{ number: 2, name: "two" }], models: ["n"] },
    ]);
    const noted = await browser.post(`/api/v1/incidents/${id}/updates`, { body: "It is over.", resolves: true });
    expect(noted).toMatchObject({ status: 201, body: { updates: [{ body: "It is over.", resolves: true }] } });
    expect(noted.body.resolved_at).toBeGreaterThanOrEqual(noted.body.started_at);
    expect((await reader.get("/status.json")).body.incidents).toEqual([]);
    expect((await browser.get("/api/v1/incidents?state=open")).body.items).toEqual([]);
    const page = await browser.get("/api/v1/incidents?state=resolved&limit=1");
    expect(page.body).toMatchObject({ items: [{ id }], next: null });
    expect((await test.actions()).slice(-2)).toEqual(["incident.created", "incident.resolved"]);

    const { body: feed, headers } = await reader.get("/status.rss");
    expect(headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    expect(feed).toContain("Answers &lt;b&gt;break&lt;/b&gt; off");
    expect(feed).not.toContain("<b>");
  });

  it("S16 an incident is changed with its entry, by known names and with an end after its begin", async () => {
    await using test = await startTestConsole(await make(), { channels });
    const browser = await operator(test);
    const { body } = await browser.post("/api/v1/incidents", { title: "Slow", severity: "minor", started_at: 1000 });
    const change = (facts: object) => browser.send("PATCH", `/api/v1/incidents/${body.id}`, facts);
    expect(await change({ severity: "critical" })).toMatchObject({ status: 200, body: { severity: "critical" } });
    expect((await test.actions()).at(-1)).toBe("incident.changed");
    for (const [facts, field] of [
      [{ channels: ["nobody"] }, "channels"],
      [{ models: ["claude-x"] }, "models"],
      [{ resolved_at: 999 }, "resolved_at"],
      [{ operator: true }, "operator"],
    ] as const) {
      expect(await change(facts)).toMatchObject({ status: 400, body: { error: { field } } });
    }
    expect(await browser.send("PATCH", "/api/v1/incidents/inc_none", { title: "x" })).toMatchObject({ status: 404 });
    expect(await browser.post("/api/v1/incidents/inc_none/updates", { body: "x" })).toMatchObject({ status: 404 });
  });
});

it("S7 pages elsewhere may read the stable document, and nothing else", async () => {
  await using test = await startTestConsole(await sqliteDatabase(), { channels });
  const browser = test.browser();
  const open = await browser.get("/status.json", { origin: "https://elsewhere.example" });
  expect(open.headers.get("access-control-allow-origin")).toBe("*");
  expect(open.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(Object.keys(open.body)).toEqual(["version", "generated_at", "state", "channels", "models", "incidents"]);
  for (const path of ["/api/v1/public/status", "/api/v1/public/models", "/status.rss"]) {
    const closed = await browser.get(path);
    expect(closed.headers.get("access-control-allow-origin")).toBeNull();
    expect(closed.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
});

async function operator(test: TestConsole) {
  const password = "correct horse battery staple";
  const author = { kind: "command", id: null, name: "command line", address: null } as const;
  await test.users.create({ email: "op@example.com", name: "Op", password }, { operator: true }, author);
  const browser = test.browser();
  await browser.signIn("op@example.com", password);
  return browser;
}
