import { expect, test } from "vitest";
import { describeEngines } from "../../testing/database-engines.ts";
import { signInAs } from "../../testing/sign-in-as.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const path = "/api/v1/audit-events";

describeEngines((make) => {
  test("S16 the log is walked from its newest entry, and filtered by who, what, to what, where and when", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const { id } = (await root.post("/api/v1/accounts", { name: "Acme" })).body;
    place.platform.shift(60_000);
    const later = place.platform.now();
    await root.send("PATCH", `/api/v1/accounts/${id}`, { name: "Acme Ltd" });
    const actions = async (query: string) => {
      const { status, body } = await root.get(`${path}?${query}`);
      expect(status).toBe(200);
      return body.items.map(({ action }: { action: string }) => action);
    };
    expect(await actions("")).toEqual(["account.changed", "account.created", "session.started", "user.created"]);
    const first = (await root.get(`${path}?limit=3`)).body;
    expect(await actions(`limit=3&cursor=${first.next}`)).toEqual(["user.created"]);
    expect(await actions(`actor=${root.id}`)).toEqual(["account.changed", "account.created", "session.started"]);
    expect(await actions("actor=command%20line")).toEqual(["user.created"]);
    expect(await actions("actor_kind=command")).toEqual(["user.created"]);
    expect(await actions("action=account.")).toEqual(["account.changed", "account.created"]);
    expect(await actions("action=account.created")).toEqual(["account.created"]);
    expect(await actions(`target=${id}`)).toEqual(["account.changed", "account.created"]);
    expect(await actions(`account=${id}&to=${later}`)).toEqual(["account.created"]);
    expect(await actions(`from=${later}`)).toEqual(["account.changed"]);
    expect(first.items[0]).toMatchObject({
      actor: { kind: "user", id: root.id, name: "root@example.com", address: "127.0.0.1" },
      target: { kind: "account", id },
      account: id,
      detail: { name_before: "Acme", name_after: "Acme Ltd" },
    });
  });

  test("S6 an export is a file, is recorded itself, and holds no cell that a spreadsheet would run", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const { id } = (await root.post("/api/v1/accounts", { name: "=HYPERLINK(1)" })).body;
    await place.database.write([
      place.database.build
        .insertInto("audit_entry")
        .values({
          id: "aud_x",
          at: 1,
          actor_kind: "user",
          actor_id: null,
          actor_name: "=cmd",
          address: "+1",
          action: "account.changed",
          target_kind: "account",
          target_id: "@x",
          account_id: id,
          detail: "{}",
        })
        .compile(),
    ]);
    const csv = await root.get(`${path}/export?format=csv&account=${id}`);
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="audit-[0-9-]+\.csv"$/);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, row] = String(csv.body).split("\r\n");
    expect(head).toMatch(/^sequence,id,at,actor_kind/);
    expect(row).toContain(",'=cmd,'+1,account.changed,account,'@x,");
    const lines = String((await root.get(`${path}/export?format=ndjson&account=${id}`)).body)
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(["account.changed", "account.created"]);
    expect((await place.actions()).slice(-2)).toEqual(["audit_log.exported", "audit_log.exported"]);
  });

  test("S16 the log is verified; an entry that was changed behind its back is found", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const verify = async () => (await root.get("/api/v1/audit-verification")).body;
    expect(await verify()).toMatchObject({ whole: true, entries: 2, problem: null });
    const forge = "update audit_event set actor_name = 'nobody' where sequence = 2";
    const refused = await place.database.write([{ sql: forge, parameters: [] }]).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
    const open =
      place.database.engine === "sqlite"
        ? await place.database.read
            // The tables of the engine itself are not among those the types know.
            .selectFrom("sqlite_master" as "call")
            .select("name" as "id")
            .where("type" as "id", "=", "trigger")
            .where("tbl_name" as "id", "=", "audit_event")
            .execute()
        : [];
    const names = open.map((row) => Object.values(row)[0]);
    const drops = names.map((name) => ({ sql: `drop trigger "${name}"`, parameters: [] }));
    const disabled = { sql: "alter table audit_event disable trigger all", parameters: [] };
    await place.database.write([
      ...(place.database.engine === "sqlite" ? drops : [disabled]),
      { sql: forge, parameters: [] },
    ]);
    expect(await verify()).toMatchObject({ whole: false, sequence: 2, problem: "changed" });
  });

  test("A7 owners read what was done in their account alone, and not from where operators did it", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const { id } = (await root.post("/api/v1/accounts", { name: "Other" })).body;
    await root.send("PATCH", "/api/v1/accounts/acct_default", { name: "Ours" });
    const owner = await signInAs(place, "ada@example.com", { account: "acct_default", role: "owner" });
    const members = "/api/v1/accounts/acct_default/members";
    await owner.post(members, { email: "new@example.com", role_in_account: "viewer" });
    const own = (await owner.get("/api/v1/accounts/acct_default/audit-events")).body.items;
    expect(
      own.map((event: { action: string; actor: { name: string; address: string | null } }) => [
        event.action,
        event.actor.name,
        event.actor.address,
      ]),
    ).toEqual([
      ["user.invited", "ada@example.com", "127.0.0.1"],
      ["user.role_changed", "command line", null],
      ["account.changed", "root@example.com", null],
    ]);
    const exported = await owner.get("/api/v1/accounts/acct_default/audit-events/export?format=ndjson");
    expect(String(exported.body).trim().split("\n")).toHaveLength(4);
    expect(String(exported.body)).not.toContain(id);
    expect((await owner.get(`/api/v1/accounts/${id}/audit-events`)).status).toBe(404);
    expect((await owner.get(path)).status).toBe(403);
    const member = await signInAs(place, "bob@example.com", { account: "acct_default", role: "member" });
    expect((await member.get("/api/v1/accounts/acct_default/audit-events")).status).toBe(403);
  });
});
