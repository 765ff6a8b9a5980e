import { describe, expect, it } from "vitest";
import { readCall } from "../calls/read-call.ts";
import { sealFor } from "../channels/channel-rows.ts";
import type { ProviderChannel } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { createSealer } from "../storage/sealed-value.ts";
import { simChannel, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const slow = {
  steps: [{ kind: "text" as const, text: "One two three." }],
  fault: { kind: "stall" as const, afterEvents: 4, ms: 2000 },
};

/** What the API writes: a row, and that there is a change. */
async function change(
  gateway: TestGateway,
  statement: (build: Database["build"]) => { compile(): { sql: string; parameters: readonly unknown[] } },
) {
  await gateway.withDatabase(async (database) => {
    const told = { entity: "channel" as const, entity_id: "any", changed_at: 0 };
    await database.write(
      [statement(database.build).compile(), database.build.insertInto("change_sequence").values(told).compile()],
      { alone: true },
    );
  });
}

const rule = (id: string, position: number, action: object, model: string | null = null) => ({
  id,
  position,
  model,
  client_protocol: null,
  account_id: null,
  access_key_id: null,
  action: JSON.stringify(action),
  enabled: 1,
  note: null,
  created_at: 0,
  updated_at: 0,
  version: 1,
});

const platform = systemPlatform();
const sealer = createSealer({
  secret: new TextEncoder().encode("a secret of the tests, long enough to be one"),
  purpose: "channel credentials",
  randomBytes: platform.randomBytes,
});

const row = (name: string, baseUrl: string, model: string) => ({
  id: `chn_${name}`,
  name,
  protocols: '["messages"]',
  models: JSON.stringify([{ id: model, upstream_id: "sandbox" }]),
  base_url: baseUrl,
  credential: sealFor(sealer, `chn_${name}`, "credential", "provider-secret"),
  credential_header: null,
  headers: null,
  setting: "operational" as const,
  priority: 0,
  weight: null,
  on_disconnect: null,
  note: null,
  created_at: 0,
  updated_at: 0,
  version: 1,
});

const ask = (gateway: TestGateway, model: string, stream = false) =>
  gateway.post("/v1/messages", { model, max_tokens: 100, stream, messages: [{ role: "user", content: "Hi" }] });

/** Asks until the answer has this status; that it never has is told by the test's own time limit. */
async function untilStatus(gateway: TestGateway, model: string, status: number): Promise<Response> {
  for (;;) {
    const response = await ask(gateway, model);
    if (response.status === status) return response;
    await response.arrayBuffer();
  }
}

const quick = (allow: readonly string[] = []) => ({
  strict: false,
  config: (base: Parameters<NonNullable<Parameters<typeof startTestGateway>[0]>["config"] & {}>[0]) => ({
    ...base,
    auth: { ...base.auth, pollMs: 50 },
    outbound: { allow },
  }),
});

describe("channels and rules of the database", () => {
  it("T14 O1 a channel appears and goes while calls run: a stream through it ends as it would have, new calls find none", async () => {
    await using gateway = await startTestGateway({
      ...quick(["127.0.0.1"]),
      script: (request) => (request.stream ? slow : {}),
    });
    expect((await ask(gateway, "made")).status).toBe(404);
    await change(gateway, (build) => build.insertInto("channel").values(row("made", gateway.sim.url, "made")));
    await untilStatus(gateway, "made", 200);

    const stream = await ask(gateway, "made", true);
    const reader = stream.body?.getReader();
    await reader?.read();
    await change(gateway, (build) => build.deleteFrom("channel").where("name", "=", "made"));
    await untilStatus(gateway, "made", 404);
    let text = "";
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      text += Buffer.from(piece.value).toString();
    }
    expect(text).toContain("message_stop");
    const calls = await gateway.calls();
    expect(calls.find((call) => call.stream)).toMatchObject({ channel: "made", outcome: "succeeded" });
  });

  it("S3 O2 a row that leads inward never takes a call, and the other channels go on", async () => {
    await using gateway = await startTestGateway(quick());
    await change(gateway, (build) => build.insertInto("channel").values(row("made", gateway.sim.url, "made")));
    await change(gateway, (build) =>
      build.insertInto("routing_rule").values(rule("rule_1", 1, { kind: "refuse", message: "Seen." }, "seen")),
    );
    await untilStatus(gateway, "seen", 403);
    expect((await ask(gateway, "made")).status).toBe(404);
    expect((await ask(gateway, "to-messages")).status).toBe(200);
    expect(gateway.log.join()).toContain("config_rejected");
  });

  it("rules refuse in their own words, and have another model asked while the caller's name for it stays", async () => {
    await using gateway = await startTestGateway(quick());
    await change(gateway, (build) =>
      build
        .insertInto("routing_rule")
        .values([
          rule("rule_1", 1, { kind: "rewrite", model: "to-messages" }, "alias"),
          rule("rule_2", 2, { kind: "refuse", message: "Ask the platform team." }, "to-responses"),
        ]),
    );
    const answer = await untilStatus(gateway, "alias", 200);
    expect(await answer.json()).toMatchObject({ type: "message" });
    expect(gateway.sim.requests.at(-1)?.model).toBe("sandbox");
    expect((await gateway.calls())[0]).toMatchObject({
      model: "alias",
      upstreamModel: "sandbox",
      channel: "sim-messages",
    });
    const refused = await ask(gateway, "to-responses");
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { message: "Ask the platform team." } },
    ]);
  });

  it("A8 a key that may not name a model does not reach another one by a rule about that name", async () => {
    const options = quick();
    await using gateway = await startTestGateway({
      ...options,
      config: (base) => {
        const made = options.config(base);
        return { ...made, accessKeys: made.accessKeys.map((key) => ({ ...key, models: ["to-responses"] })) };
      },
    });
    await change(gateway, (build) =>
      build.insertInto("routing_rule").values(rule("rule_1", 1, { kind: "rewrite", model: "to-messages" }, "alias")),
    );
    const refused = await untilStatus(gateway, "alias", 403);
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("may not use") } });
  });

  it("priority and weight of the file's channels decide: all calls go to the higher one, and to the next when it fails", async () => {
    const channels = (url: string): ProviderChannel[] => [
      simChannel(url, "messages", {
        name: "first in the file".replaceAll(" ", "-"),
        models: [{ id: "m", upstreamId: "sandbox" }],
      }),
      simChannel("http://127.0.0.1:1", "messages", {
        name: "higher",
        priority: 1,
        models: [{ id: "m", upstreamId: "sandbox" }],
      }),
    ];
    await using gateway = await startTestGateway({ channels });
    expect((await ask(gateway, "m")).status).toBe(200);
    const [call] = await gateway.calls();
    const whole = await gateway.withDatabase((database) => readCall(database, call?.id ?? ""));
    expect(whole?.attempts.map(({ channel }) => channel)).toEqual(["higher", "first-in-the-file"]);
  });
});
