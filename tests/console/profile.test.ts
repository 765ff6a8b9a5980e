import { expect, test } from "vitest";
import { oneTimeCode } from "../../packages/gateway/src/testing/one-time-code.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import type { OpenConsole } from "./support/open-console.ts";
import { startOwnConsole } from "./support/own-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const ada = { email: "ada@example.com", name: "Ada Lovelace", password: "a long and good one" };

async function scene() {
  const own = await startOwnConsole();
  await own.place.users.create(ada, { operator: true }, system);
  return own;
}

async function signIn(console: OpenConsole): Promise<void> {
  const { page } = console;
  // Pages ask who is there, and learn that it is nobody.
  await page.goto("/sign-in?next=/profile");
  await page.getByLabel("E-mail address").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("S18 the printed link leads to the first operator, who is signed in then; its token leaves the address", async () => {
  await using own = await startOwnConsole();
  const token = await own.place.setup.issue();
  const console = await own.open();
  const { page } = console;
  console.expectTrouble("400");
  await page.goto(`/setup#token=${token}`);
  await page.getByLabel("Name").fill(ada.name);
  await page.getByLabel("E-mail address").fill(ada.email);
  expect(page.url()).toBe(`${own.address}/setup`);
  await page.getByLabel("Password", { exact: true }).fill("password1234");
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Make the operator and sign in" }).click();
  await page.getByText("one of those that are guessed first. Choose another").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Make the operator and sign in" }).click();
  await page.waitForURL(/\/a\/acct_default\/home$/);
  await page.goto("/setup");
  await page.getByRole("heading", { name: "There is an operator already" }).waitFor();
  console.expectNoTrouble();
});

test("S8 a second factor is switched on with an app, asked for from then on, and switched off by password", async () => {
  await using own = await scene();
  const console = await own.open();
  const { page } = console;
  await signIn(console);
  await page.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/Your password/).fill(ada.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("img", { name: "QR code of the key" }).waitFor();
  await checkAccessibility(page);
  const uri = await dialog.locator("a[href^='otpauth:']").getAttribute("href");
  const code = () => oneTimeCode(uri ?? "", Date.now());
  await dialog.getByLabel(/six digits/).fill(code());
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("Each of them lets you in once").waitFor();
  const codes = ((await dialog.locator("pre").textContent()) ?? "").split("\n");
  expect(codes.length).toBeGreaterThanOrEqual(8);
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await page.getByRole("button", { name: "New backup codes" }).waitFor();
  console.expectNoTrouble();

  const other = await own.open();
  await signIn(other);
  await other.page.getByRole("heading", { name: "One more step" }).waitFor();
  await checkAccessibility(other.page);
  await other.page.getByRole("button", { name: "Use a backup code" }).click();
  await other.page.getByLabel("Backup code").fill(codes[0] ?? "");
  await other.page.getByRole("button", { name: "Continue" }).click();
  await other.page.waitForURL(/\/profile$/);
  await other.page.getByRole("button", { name: "Turn off" }).click();
  await other.page
    .getByRole("dialog")
    .getByLabel(/Your password/)
    .fill(ada.password);
  await other.page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await other.page.getByRole("button", { name: "Turn on" }).waitFor();
  other.expectNoTrouble();
});

test("S8 a passkey is added and lets its user in without a password", async () => {
  await using own = await scene();
  const console = await own.open();
  const { page } = console;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(console);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("laptop");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("laptop", { exact: true }).waitFor();
  await page.getByRole("button", { name: /Ada Lovelace/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(/\/operator\/home$/);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Remove the passkey “laptop”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("No passkeys yet.").waitFor();
  console.expectNoTrouble();
});

test("A8 a token is shown once, works, and is dead once it is revoked", async () => {
  await using own = await scene();
  const console = await own.open();
  const { page } = console;
  await signIn(console);
  await page.getByRole("button", { name: "New token" }).click();
  expect(page.url()).toContain("newToken=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("nightly report");
  await checkAccessibility(page);
  await dialog.getByRole("button", { name: "Make the token" }).click();
  const token = (await dialog.locator("pre").first().textContent()) ?? "";
  expect(token).toMatch(/^ilt_[\w-]{43}$/);
  const ask = () => fetch(`${own.address}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).status).toBe(200);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("nightly report").waitFor();
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Revoke the token “nightly report”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("No API tokens yet").waitFor();
  expect((await ask()).status).toBe(401);
  console.expectNoTrouble();
});

test("S8 the name is changed, and other sessions are ended, from the profile", async () => {
  await using own = await scene();
  const [console, other] = [await own.open(), await own.open()];
  await signIn(other);
  await other.page.waitForURL(/\/profile$/);
  await signIn(console);
  const { page } = console;
  await page.getByLabel("Name", { exact: true }).fill("Ada King");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /Ada King/ }).waitFor();
  await page.getByRole("button", { name: "End all others" }).click();
  await page.getByText("1 session has ended").waitFor();
  await other.page.goto("/profile");
  await other.page.waitForURL(/\/sign-in/);
  console.expectNoTrouble();
});
