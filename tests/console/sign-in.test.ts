import { expect, inject, test } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const words = {
  en: { email: "E-mail", password: "Password", signIn: "Sign in", signOut: "Sign out" },
  zh: { email: "邮箱", password: "密码", signIn: "登录", signOut: "退出登录" },
};

eachLook("S8 signing in leads home, and signing out ends the session", async (look) => {
  const { people } = inject("scene");
  const console = await openConsole({ as: "nobody", ...look });
  const { page } = console;
  await console.goto("/");
  await checkAccessibility(page);
  const { email, password, signIn } = words[look.language];
  await page.getByLabel(email).fill(people.member.email);
  await page.getByLabel(password, { exact: true }).fill(people.member.password);
  await page.getByRole("button", { name: signIn, exact: true }).click();
  await page.waitForURL(/\/a\/[^/]+\/home$/);
  await page.locator("h1").waitFor();
  expect(await page.locator("html").getAttribute("lang")).toMatch(new RegExp(`^${look.language}`));
  const cookies = await page.context().cookies();
  expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
    { httpOnly: true, sameSite: "Strict" },
  ]);
  await page.getByRole("button", { name: "Mei Member" }).click();
  await page.getByRole("menuitem", { name: words[look.language].signOut }).click();
  await page.waitForURL(/\/sign-in$/);
  console.expectNoTrouble();
  // What the browser still held of the session is worth nothing.
  await page.context().addCookies(cookies);
  await page.goto("/");
  await page.waitForURL(/\/sign-in/);
});

test("S7 the page of an account asks whoever has not signed in to do so, and leads there afterwards", async () => {
  const { people } = inject("scene");
  const console = await openConsole({ as: "nobody" });
  const { page } = console;
  await page.goto("/profile");
  await page.waitForURL(/\/sign-in/);
  await page.getByLabel(words.en.email).fill(people.viewer.email);
  await page.getByLabel(words.en.password, { exact: true }).fill(people.viewer.password);
  await page.getByRole("button", { name: words.en.signIn, exact: true }).click();
  await page.waitForURL(/\/profile$/);
  console.expectNoTrouble();
});
