import type { TestBrowser, TestConsole } from "./test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;

/** The password of every user that `signInAs` makes. */
export const testPassword = "a long and good one";

/** Makes a user with these rights and gives a browser in which the user has signed in. */
export async function signInAs(
  place: TestConsole,
  email: string,
  rights: { operator?: boolean; account?: string; role?: "owner" | "member" | "viewer" } = {},
): Promise<TestBrowser & { id: string }> {
  const { operator = false, account, role } = rights;
  const { id } = await place.users.create({ email, name: "Somebody", password: testPassword }, { operator }, system);
  if (account !== undefined && role !== undefined) await place.users.setRole(id, account, role, system);
  const browser = place.browser();
  await browser.signIn(email, testPassword);
  return { ...browser, id };
}
