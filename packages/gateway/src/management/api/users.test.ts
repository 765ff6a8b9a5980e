import { expect, test } from "vitest";
import { describeEngines } from "../../testing/database-engines.ts";
import { signInAs, testPassword } from "../../testing/sign-in-as.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const path = "/api/v1/users";
const members = "/api/v1/accounts/acct_default/members";
const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get("invite");

describeEngines((make) => {
  test("S18 an invited user sets a password by a link that is good once, and has the rights that were given", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const invited = await root.post(path, {
      email: "Eve@Example.com",
      name: "Eve",
      membership: { account: "acct_default", role_in_account: "member" },
    });
    expect(invited).toMatchObject({ status: 201, body: { link: expect.stringContaining("/setup#invite=") } });
    const token = tokenOf(invited.body.link);
    expect((await root.get(`${path}/${invited.body.user}`)).body).toMatchObject({
      email: "eve@example.com",
      can_sign_in: false,
      invited_until: invited.body.expires_at,
      memberships: [{ account: { id: "acct_default" }, role: "member" }],
    });
    const stored = await place.database.read.selectFrom("invitation").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);

    const eve = place.browser();
    expect((await eve.post("/api/v1/invitations/look", { token })).body).toMatchObject({
      email: "eve@example.com",
      purpose: "welcome",
    });
    const short = await eve.post("/api/v1/invitations/redeem", { token, password: "short" });
    expect(short).toMatchObject({ status: 400, body: { error: { field: "password" } } });
    expect((await eve.post("/api/v1/invitations/redeem", { token, password: testPassword })).status).toBe(204);
    const again = await eve.post("/api/v1/invitations/redeem", { token, password: "another good password" });
    expect(again).toMatchObject({ status: 403, body: { error: { code: "bad_invitation" } } });
    expect((await eve.signIn("eve@example.com", testPassword)).status).toBe(200);
    expect((await eve.get("/api/v1/me")).body.memberships).toMatchObject([{ role: "member" }]);
    expect((await place.actions()).slice(-3)).toEqual(["user.invited", "user.password_set", "session.started"]);
  });

  test("S18 a link ends after 72 hours, by a newer one, and with its user", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const { user, link } = (await root.post(path, { email: "eve@example.com", name: "Eve" })).body;
    const look = async (of: string) =>
      (await place.browser().post("/api/v1/invitations/look", { token: tokenOf(of) })).status;
    expect(await look(link)).toBe(200);
    const second = (await root.post(`${path}/${user}/password-link`, {})).body.link;
    expect([await look(link), await look(second)]).toEqual([403, 200]);
    await root.send("PATCH", `${path}/${user}`, { disabled: true });
    expect(await look(second)).toBe(403);
    await root.send("PATCH", `${path}/${user}`, { disabled: false });
    expect(await look(second)).toBe(200);
    place.platform.shift(72 * 3_600_000);
    expect(await look(second)).toBe(403);
  });

  test("S8 a user who is disabled, demoted or given a new link has no session any more", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const other = await signInAs(place, "ada@example.com", { operator: true });
    // Who is added to an account may do more than before: that ends nothing.
    await root.send("PUT", `${path}/${other.id}/memberships/acct_default`, { role_in_account: "viewer" });
    expect((await other.get("/api/v1/me")).status).toBe(200);
    for (const end of [
      () => root.send("PATCH", `${path}/${other.id}`, { is_operator: false }),
      () => root.post(`${path}/${other.id}/password-link`, {}),
      () => root.send("DELETE", `${path}/${other.id}/sessions`),
      () => root.send("DELETE", `${path}/${other.id}/second-factor`),
      () => root.send("PUT", `${path}/${other.id}/memberships/acct_default`, { role_in_account: "owner" }),
      () => root.send("DELETE", `${path}/${other.id}/memberships/acct_default`),
      () => root.send("PATCH", `${path}/${other.id}`, { disabled: true }),
    ]) {
      await other.signIn("ada@example.com", testPassword);
      expect((await other.get("/api/v1/me")).status).toBe(200);
      expect((await end()).status).toBeLessThan(300);
      expect((await other.get("/api/v1/me")).status).toBe(401);
    }
  });

  test("the last operator is neither disabled nor demoted, whoever asks and however many at once", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const last = { status: 409, body: { error: { code: "last_operator" } } };
    expect(await root.send("PATCH", `${path}/${root.id}`, { disabled: true })).toMatchObject(last);
    expect(await root.send("PATCH", `${path}/${root.id}`, { is_operator: false })).toMatchObject(last);
    const other = await signInAs(place, "ada@example.com", { operator: true });
    const both = await Promise.all([
      root.send("PATCH", `${path}/${other.id}`, { is_operator: false }),
      other.send("PATCH", `${path}/${root.id}`, { is_operator: false }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const operators = await place.database.read.selectFrom("user").select("id").where("operator", "=", 1).execute();
    expect(operators).toHaveLength(1);
  });

  test("users are listed by address, page by page, and found by what they are", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    for (const name of ["ada", "bob", "cid"])
      await root.post(path, { email: `${name}@example.com`, name: `Name ${name}` });
    const emails = async (query: string) => {
      const { body } = await root.get(`${path}?${query}`);
      return { emails: body.items.map(({ email }: { email: string }) => email.split("@")[0]), next: body.next };
    };
    const first = await emails("limit=3");
    expect(first.emails).toEqual(["ada", "bob", "cid"]);
    expect(await emails(`limit=3&cursor=${first.next}`)).toEqual({ emails: ["root"], next: null });
    expect((await emails("search=BOB")).emails).toEqual(["bob"]);
    expect((await emails("search=name%20c")).emails).toEqual(["cid"]);
    expect((await emails("operator=true")).emails).toEqual(["root"]);
    expect((await emails("disabled=true")).emails).toEqual([]);
    expect((await emails("account=acct_default")).emails).toEqual([]);
    expect((await root.get(`${path}?operator=perhaps`)).status).toBe(400);
  });

  test("A8 owners add, raise and remove members of their own account, and keep an owner", async () => {
    await using place = await startTestConsole(await make());
    const owner = await signInAs(place, "ada@example.com", { account: "acct_default", role: "owner" });
    const added = await owner.post(members, { email: "new@example.com", role_in_account: "viewer" });
    expect(added).toMatchObject({
      status: 201,
      body: { member: { email: "new@example.com", role: "viewer" }, invitation: { link: expect.any(String) } },
    });
    const known = await signInAs(place, "bob@example.com");
    const bob = await owner.post(members, { email: "Bob@example.com", role_in_account: "member" });
    expect(bob).toMatchObject({ status: 201, body: { invitation: null, member: { user: known.id } } });
    expect((await known.get("/api/v1/me")).body.memberships).toMatchObject([{ role: "member" }]);
    expect(await owner.post(members, { email: "bob@example.com", role_in_account: "owner" })).toMatchObject({
      status: 409,
      body: { error: { code: "taken" } },
    });

    const last = { status: 409, body: { error: { code: "last_owner" } } };
    expect(await owner.send("PATCH", `${members}/${owner.id}`, { role_in_account: "member" })).toMatchObject(last);
    expect(await owner.send("DELETE", `${members}/${owner.id}`)).toMatchObject(last);
    expect(await owner.send("PATCH", `${members}/${known.id}`, { role_in_account: "owner" })).toMatchObject({
      status: 200,
      body: { role: "owner" },
    });
    expect((await owner.send("DELETE", `${members}/${known.id}`)).status).toBe(204);
    expect((await owner.send("DELETE", `${members}/${known.id}`)).status).toBe(404);
    expect(await owner.post(members, { email: "x@example.com", role_in_account: "operator" })).toMatchObject({
      status: 400,
    });
    expect((await owner.get(members)).body.items.map(({ email }: { email: string }) => email)).toEqual([
      "ada@example.com",
      "new@example.com",
    ]);
    const again = await owner.post(`${members}/${added.body.member.user}/invitation`, {});
    expect(again).toMatchObject({ status: 201, body: { user: added.body.member.user } });
    expect(await owner.post(`${members}/${owner.id}/invitation`, {})).toMatchObject({ status: 409 });
  });

  test("A7 A8 members see who belongs to the account and change nothing; of another account there is nothing", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const { id } = (await root.post("/api/v1/accounts", { name: "Other" })).body;
    const member = await signInAs(place, "ada@example.com", { account: "acct_default", role: "member" });
    const stranger = await signInAs(place, "eve@example.com", { account: id, role: "owner" });
    expect((await member.get(members)).status).toBe(200);
    expect((await member.post(members, { email: "x@example.com", role_in_account: "viewer" })).status).toBe(403);
    expect((await member.send("PATCH", `${members}/${member.id}`, { role_in_account: "owner" })).status).toBe(403);
    expect((await stranger.get(members)).status).toBe(404);
    // A member of another account is none of this one.
    const foreign = `/api/v1/accounts/${id}/members/${member.id}`;
    expect((await stranger.send("PATCH", foreign, { role_in_account: "viewer" })).status).toBe(404);
    expect((await stranger.send("DELETE", foreign)).status).toBe(404);
    expect((await stranger.post(`${foreign}/invitation`, {})).status).toBe(404);
    expect((await member.get(path)).status).toBe(403);
  });
});
