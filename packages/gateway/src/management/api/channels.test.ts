import { type Script, type ScriptSource, startUpstreamSim } from "@interlingua/upstream-sim";
import { expect, test } from "vitest";
import type { AddressedChannel } from "../../channels/channel.ts";
import { systemPlatform } from "../../platform.ts";
import { describeEngines, type MakeDatabase } from "../../testing/database-engines.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const path = "/api/v1/channels";
const credential = "sk-very-secret-0123456789";
const headerValue = "header-secret-0123456789";

const declared: AddressedChannel = {
  name: "file",
  protocols: ["messages"],
  baseUrl: "https://api.example.com",
  apiKey: "file-secret-0123456789",
  headers: { "x-team": "file-header-secret" },
  models: [{ id: "claude-*" }],
  status: "operational",
};

const draft = {
  name: "made",
  protocols: ["chat-completions"],
  base_url: "https://upstream.example.com/v1",
  credential,
  headers: { "X-Team": headerValue },
  models: [{ id: "fast", upstream_id: "sandbox" }],
};

async function openConsole(make: MakeDatabase, outbound: readonly string[] = []) {
  const place = await startTestConsole(await make(), { declared: [declared], outbound });
  await place.users.create({ email: "root@example.com", name: "Root", password }, { operator: true }, system);
  const root = place.browser();
  await root.signIn("root@example.com", password);
  const entries = async (prefix: string) => {
    const rows = await place.database.read
      .selectFrom("audit_event")
      .select(["action", "target_id", "detail"])
      .orderBy("sequence")
      .execute();
    return rows
      .filter(({ action }) => action.startsWith(prefix))
      .map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
  };
  return Object.assign(place, { root, entries });
}

/** A simulated provider that takes any credential. */
async function startSim(script?: ScriptSource) {
  const platform = systemPlatform();
  const sim = await startUpstreamSim({
    clock: platform.now,
    ids: () => platform.id("sim"),
    ...(script ? { script } : {}),
    strict: false,
  });
  return { url: sim.url, [Symbol.asyncDispose]: () => sim.close() };
}

describeEngines((make) => {
  test("S16 a channel is made, changed and deleted, each with its entry; the configuration's are read alone", async () => {
    await using place = await openConsole(make);
    const { root } = place;
    const made = await root.post(path, draft);
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "made",
        origin: "console",
        priority: 0,
        weight: null,
        has_credential: true,
        header_names: ["x-team"],
        state: "operational",
        version: 1,
      },
    });
    const listed = await root.get(path);
    expect(listed.body.items).toMatchObject([
      { name: "file", origin: "configuration", version: null, has_credential: true, header_names: ["x-team"] },
      { name: "made", origin: "console", usage: { day: { calls: 0, failed: 0, charge: "0" } } },
    ]);
    expect(listed.body.items[1].usage.hours).toHaveLength(24);

    const changed = await root.send("PATCH", `${path}/made`, {
      version: 1,
      priority: 5,
      weight: 3,
      note: "The fast one",
    });
    expect(changed.body).toMatchObject({
      version: 2,
      priority: 5,
      weight: 3,
      note: "The fast one",
      has_credential: true,
    });
    expect(await root.send("PATCH", `${path}/made`, { version: 1, priority: 6 })).toMatchObject({
      status: 409,
      body: { error: { code: "changed_meanwhile" } },
    });
    for (const method of ["PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { version: 1, priority: 6 } : undefined;
      expect(await root.send(method, `${path}/file`, body)).toMatchObject({
        status: 409,
        body: { error: { code: "declared_in_configuration" } },
      });
      expect((await root.send(method, `${path}/nothing`, body)).status).toBe(404);
    }
    for (const name of ["made", "file"]) {
      expect(await root.post(path, { ...draft, name })).toMatchObject({
        status: 409,
        body: { error: { code: "name_taken" } },
      });
    }
    expect((await root.send("DELETE", `${path}/made`)).status).toBe(204);
    expect((await root.get(`${path}/made`)).status).toBe(404);
    expect((await place.entries("channel.")).map(({ action, detail }) => [action, detail.priority_after])).toEqual([
      ["channel.created", undefined],
      ["channel.changed", 5],
      ["channel.deleted", undefined],
    ]);
  });

  test("a channel names the make of its server, or leaves it to its address", async () => {
    await using place = await openConsole(make);
    const { root } = place;
    expect((await root.post(path, draft)).body.dialect).toBeNull();
    const named = await root.send("PATCH", `${path}/made`, { version: 1, dialect: "llama.cpp" });
    expect(named.body).toMatchObject({ version: 2, dialect: "llama.cpp" });
    const channel = () => place.live.set.current.channels.find(({ name }) => name === "made");
    expect(channel()?.traits("chat-completions", "m").dialect).toBe("llama.cpp");
    expect(await root.send("PATCH", `${path}/made`, { version: 2, dialect: "lama" })).toMatchObject({ status: 400 });
    expect((await root.send("PATCH", `${path}/made`, { version: 2, dialect: null })).body.dialect).toBeNull();
    expect(channel()?.traits("chat-completions", "m").dialect).toBeUndefined();
  });

  test("S1 no credential and no header's value is in an answer, an entry or a row of the database", async () => {
    await using place = await openConsole(make);
    const { root } = place;
    const answers = [
      await root.post(path, draft),
      await root.send("PATCH", `${path}/made`, {
        version: 1,
        credential: `${credential}-2`,
        headers: { "x-other": headerValue },
      }),
      await root.get(path),
      await root.get(`${path}/made`),
      await root.get(`${path}/file`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
    const row = await place.database.read.selectFrom("channel").selectAll().executeTakeFirstOrThrow();
    const sealed = [row.credential, row.headers].map((bytes) => Buffer.from(bytes ?? []).toString("latin1"));
    const told = JSON.stringify([
      answers,
      await place.entries("channel."),
      { ...row, credential: sealed, headers: "" },
      sealed,
      place.log,
    ]);
    expect(told).not.toMatch(/secret-0123456789|file-header-secret/);
    expect((await place.entries("channel.changed"))[0]?.detail).toEqual({
      credential: "set",
      header_names: ["x-other"],
    });
  });

  test("S3 a channel of the console may not lead inward, and its credential does not go to another place", async () => {
    await using place = await openConsole(make, ["gpu.lan:8000"]);
    const { root } = place;
    for (const base_url of [
      "http://upstream.example.com",
      "https://127.0.0.1/v1",
      "https://169.254.169.254",
      "https://upstream.example.com:8443",
    ]) {
      expect(await root.post(path, { ...draft, base_url })).toMatchObject({
        status: 400,
        body: { error: { field: "base_url" } },
      });
    }
    expect((await root.post(path, draft)).status).toBe(201);
    const elsewhere = { version: 1, base_url: "https://elsewhere.example.com/v1" };
    const one = `${path}/made`;
    expect(await root.send("PATCH", one, elsewhere)).toMatchObject({
      status: 400,
      body: { error: { field: "credential" } },
    });
    expect(await root.send("PATCH", one, { ...elsewhere, credential: "another-one" })).toMatchObject({
      status: 400,
      body: { error: { field: "headers" } },
    });
    expect((await root.send("PATCH", one, { version: 1, base_url: "https://upstream.example.com/v2" })).status).toBe(
      200,
    );
    const moved = await root.send("PATCH", one, {
      version: 2,
      base_url: "http://gpu.lan:8000",
      credential: null,
      headers: null,
    });
    expect(moved.body).toMatchObject({ base_url: "http://gpu.lan:8000", has_credential: false, header_names: [] });
  });

  test("A8 what a channel does not have is refused by name, and so is what the configuration would refuse", async () => {
    await using place = await openConsole(make);
    for (const [wrong, field] of [
      [{ owner: "me" }, "owner"],
      [{ version: 3 }, "version"],
      [{ name: "with space" }, "name"],
      [{ models: [{ id: "a*", upstream_id: "b" }] }, "models.0.upstream_id"],
      [{ models: [{ id: "a" }, { id: "a" }] }, "models.1"],
      [{ models: [] }, "models"],
      [{ models: [{ id: "a", protocols: ["messages"] }] }, "models.0.protocols"],
      [{ headers: { "bad name": "x" } }, "headers.bad name"],
      [{ credential: "with space" }, "credential"],
      [{ weight: -1 }, "weight"],
    ] as const) {
      const answer = await place.root.post(path, { ...draft, ...wrong });
      expect([answer.status, answer.body.error?.field]).toEqual([400, field]);
    }
    expect((await place.root.get(path)).body.items).toHaveLength(1);
  });

  test("O2 a row that does not hold is left out and says why; the others go on", async () => {
    await using place = await openConsole(make);
    const { root, database } = place;
    await root.post(path, draft);
    await root.post(path, { ...draft, name: "good" });
    const broken = database.build
      .updateTable("channel")
      .set({ credential: new Uint8Array(40) })
      .where("name", "=", "made");
    await database.write([broken.compile()]);
    // Any change makes the gateway look again.
    await root.send("PATCH", `${path}/good`, { version: 1, priority: 1 });
    expect((await root.get(path)).body.items.slice(1)).toMatchObject([
      { name: "good", state: "operational", rejected: null },
      { name: "made", state: "rejected", rejected: expect.stringContaining("does not open") },
    ]);
    expect(await root.post(`${path}/made/tests`, { model: "fast" })).toMatchObject({
      status: 409,
      body: { error: { code: "channel_rejected" } },
    });
    expect(place.log.join()).toContain("config_rejected");
  });

  test("a test now tells what the model said, or what the upstream did not like; twenty of them are kept", async () => {
    await using sim = await startSim((request): Script => {
      if (!request.model.includes("broken-model")) return { steps: [{ kind: "text", text: "ready" }] };
      const message = `Incorrect API key provided: ${credential}`;
      return { fault: { kind: "http-error", status: 401, error: "authentication", message } };
    });
    await using place = await openConsole(make, ["127.0.0.1"]);
    const { root } = place;
    const models = [{ id: "fast", upstream_id: "sandbox" }, { id: "broken-model" }];
    expect((await root.post(path, { ...draft, base_url: `${sim.url}/v1`, models })).status).toBe(201);
    const good = await root.post(`${path}/made/tests`, { model: "fast" });
    expect(good).toMatchObject({
      status: 201,
      body: {
        succeeded: true,
        status: 200,
        text: "ready",
        problem: null,
        upstream_model: "sandbox",
        protocol: "chat-completions",
      },
    });
    const bad = await root.post(`${path}/made/tests`, { model: "broken-model" });
    expect(bad.body).toMatchObject({ succeeded: false, status: 401, problem: "unauthenticated" });
    expect(JSON.stringify(bad.body)).not.toContain(credential);
    expect(await root.post(`${path}/made/tests`, { model: "unheard-of" })).toMatchObject({
      status: 400,
      body: { error: { field: "model" } },
    });
    for (let index = 0; index < 20; index++) await root.post(`${path}/made/tests`, { model: "fast" });
    const kept = (await root.get(`${path}/made/tests`)).body.items;
    expect(kept).toHaveLength(20);
    expect(kept.every((each: { succeeded: boolean }) => each.succeeded)).toBe(true);
    expect(await place.entries("channel.tested")).toHaveLength(22);
    expect(await place.database.read.selectFrom("call").select("id").execute()).toEqual([]);
  });

  test("models are fetched from the upstream by its own protocol: which are new, and which are gone", async () => {
    await using sim = await startSim();
    await using place = await openConsole(make, ["127.0.0.1"]);
    const { root } = place;
    for (const [protocol, base] of [
      ["chat-completions", `${sim.url}/v1`],
      ["responses", `${sim.url}/v1`],
      ["messages", sim.url],
      ["generate-content", sim.url],
    ] as const) {
      const models = [{ id: "mine", upstream_id: "sandbox" }, { id: "left-long-ago" }];
      const made = await root.post(path, { ...draft, name: protocol, protocols: [protocol], base_url: base, models });
      expect(made.status).toBe(201);
      const found = await root.post(`${path}/${protocol}/fetch-models`, undefined);
      expect(found).toMatchObject({ status: 200, body: { gone: ["left-long-ago"], cut: false } });
      expect(found.body.items).toContainEqual({ id: "sandbox", listed: true });
    }
  });
});
