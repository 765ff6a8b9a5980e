import { expect, test } from "vitest";
import { describeEngines, type MakeDatabase } from "../../testing/database-engines.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";

async function scene(make: MakeDatabase) {
  const place = await startTestConsole(await make());
  for (const name of ["ada", "eve"]) {
    await place.users.create({ email: `${name}@example.com`, name, password }, { operator: false }, system);
  }
  const signedIn = async (name: string) => {
    const browser = place.browser();
    expect((await browser.signIn(`${name}@example.com`, password)).status).toBe(200);
    return browser;
  };
  return { ...place, signedIn, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

describeEngines((make) => {
  test("S8 users see their own sessions and end them, at once", async () => {
    await using place = await scene(make);
    const [here, there, eves] = [await place.signedIn("ada"), await place.signedIn("ada"), await place.signedIn("eve")];
    const { items } = (await here.get("/api/v1/me/sessions")).body;
    expect(items).toHaveLength(2);
    expect(items.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain([...here.cookies.values()][0]?.split(".")[0]);
    const other = items.find(({ current }: { current: boolean }) => !current);

    expect((await eves.send("DELETE", `/api/v1/me/sessions/${other.id}`)).status).toBe(404);
    expect((await there.get("/api/v1/me")).status).toBe(200);
    expect((await here.send("DELETE", `/api/v1/me/sessions/${other.id}`)).status).toBe(204);
    expect((await there.get("/api/v1/me")).status).toBe(401);
    expect((await here.send("DELETE", `/api/v1/me/sessions/${other.id}`)).status).toBe(404);

    const third = await place.signedIn("ada");
    expect(await here.post("/api/v1/me/sessions/end-others", {})).toMatchObject({ status: 200, body: { ended: 1 } });
    expect((await third.get("/api/v1/me")).status).toBe(401);
    expect((await here.get("/api/v1/me")).status).toBe(200);
    expect((await eves.get("/api/v1/me")).status).toBe(200);
    expect(await place.actions()).toEqual(expect.arrayContaining(["session.ended", "user.sessions_ended"]));
  });

  test("S16 users change their name, and nothing else of themselves", async () => {
    await using place = await scene(make);
    const ada = await place.signedIn("ada");
    expect((await ada.send("PATCH", "/api/v1/me", { name: "  Ada Lovelace " })).status).toBe(204);
    expect((await ada.get("/api/v1/me")).body.user.name).toBe("Ada Lovelace");
    for (const field of ["operator", "email", "two_factor_enabled"]) {
      const answer = await ada.send("PATCH", "/api/v1/me", { name: "Ada", [field]: "x" });
      expect(answer, field).toMatchObject({ status: 400, body: { error: { code: "unknown_field", field } } });
    }
    expect(await place.actions()).toContain("user.renamed");
    expect((await ada.get("/api/v1/me/sign-in")).body).toEqual({
      password: true,
      providers: [],
      two_factor: false,
      passkeys: [],
    });
  });
});
