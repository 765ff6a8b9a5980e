import { expect, inject, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { en } from "../../packages/console/src/pages/connect/text.en.ts";
import { zh } from "../../packages/console/src/pages/connect/text.zh.ts";
import { en as keysEn } from "../../packages/console/src/pages/keys/text.en.ts";
import { zh as keysZh } from "../../packages/console/src/pages/keys/text.zh.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { type OpenConsole, openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const texts = { en: { ...en, keys: keysEn }, zh: { ...zh, keys: keysZh } };
const path = `/a/${accountIds.large}/connect`;

/** Makes a key on the page and gives its secret back. */
async function makeKey({ page }: OpenConsole, t: (typeof texts)["en" | "zh"]): Promise<string> {
  await page.getByRole("button", { name: t.createKey }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(t.keys.name).fill(`connect ${Date.now()} ${Math.random()}`);
  await drawer.getByRole("button", { name: t.keys.create }).click();
  const secret = (await drawer.locator("pre").first().textContent()) ?? "";
  await drawer.getByRole("button", { name: t.keys.done }).click();
  await drawer.waitFor({ state: "detached" });
  return secret;
}

eachLook("settings hold address, key and model, and the first call is shown as it arrives", async (look) => {
  const t = texts[look.language];
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(`${path}?model=sandbox&client=anthropic-js`);
  await checkAccessibility(page);
  const secret = await makeKey(console, t);
  const settings = page.locator("section", { hasText: "hello.mjs" }).first();
  const code = (await settings.locator("pre").allTextContents()).join("\n");
  for (const value of [secret, inject("scene").address, '"sandbox"']) expect(code).toContain(value);

  await page.getByRole("button", { name: t.sendTest }).click();
  await page.getByText(t.arrived).waitFor();
  await checkAccessibility(page);
  await page.getByRole("link", { name: t.open }).click();
  await page.waitForURL(/\/calls\/call_/);
  console.expectNoTrouble();
});

test("a call that fails arrives, too, and says why", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  await console.goto(`${path}?client=codex`);
  const secret = await makeKey(console, texts.en);
  await page.getByRole("button", { name: en.startVerify }).click();
  await page.getByText(en.waiting).waitFor();
  const answer = await fetch(`${inject("scene").address}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-error-429", input: "Hello" }),
  });
  expect(answer.ok).toBe(false);
  await page.getByText(en.arrivedFailed).waitFor();
  await page.getByText(en.why, { exact: true }).waitFor();
  console.expectNoTrouble();
});

test("S1 a key that is not known here is never made up, and one of another id is not taken", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  await console.goto(`${path}?client=curl&model=sandbox`);
  expect(await page.locator("pre").first().textContent()).toContain("YOUR_ACCESS_KEY");
  await makeKey(console, texts.en);
  await page.getByLabel(en.secret).fill("ilk_0123456789_nothing");
  await page.getByText(en.secretWrong).waitFor();
  expect(await page.locator("pre").first().textContent()).not.toContain("ilk_0123456789_nothing");
  expect(page.url()).not.toContain("nothing");
  console.expectNoTrouble();
});
