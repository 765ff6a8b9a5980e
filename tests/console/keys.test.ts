import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { en } from "../../packages/console/src/pages/keys/text.en.ts";
import { zh } from "../../packages/console/src/pages/keys/text.zh.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const texts = { en, zh };
const path = `/a/${accountIds.large}/keys`;
const rowOf = (page: Page, name: string) => page.locator("tbody tr", { hasText: name });
const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");

/** Whether the gateway takes the key. */
async function taken(secret: string): Promise<number> {
  const { address } = inject("scene");
  return (await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })).status;
}

eachLook("S1 a key is made in one drawer, works at once, and is shown this once", async (look) => {
  const t = texts[look.language];
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  const name = `made in ${look.language} ${Date.now()}`;
  await console.goto(path);
  await checkAccessibility(page);
  await page.getByRole("button", { name: t.create }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(t.name).fill(name);
  await drawer.getByLabel(t.quota, { exact: true }).fill("12.50");
  await drawer.getByRole("button", { name: t.more }).click();
  await drawer.getByLabel(t.concurrency).fill("7");
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: t.create }).click();
  await drawer.getByText(t.secretOnce).waitFor();
  const secret = (await drawer.locator("pre").first().textContent()) ?? "";
  expect(secret).toMatch(/^ilk_/);
  expect(await taken(secret)).toBe(200);
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: t.done }).click();
  await drawer.waitFor({ state: "detached" });

  await page.getByRole("textbox", { name: t.search, exact: true }).fill(name.toUpperCase());
  await page.waitForURL(/search=/);
  const row = rowOf(page, name);
  await row.waitFor();
  expect(await row.textContent()).toContain("$12.50");
  expect(await page.content()).not.toContain(secret.slice(15));

  await row.locator(".mantine-Switch-track").click();
  await page.getByText(filled(t.disabledNow, { name })).waitFor();
  await expect.poll(() => taken(secret)).toBe(401);
  await page.getByRole("button", { name: look.language === "en" ? "Undo" : "撤销" }).click();
  await expect.poll(() => taken(secret)).toBe(200);
  console.expectNoTrouble();
});

test("A1 a key is rotated with grace and revoked by its name, and the address says what is open", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  const name = `rotated ${Date.now()}`;
  await console.goto(`${path}?panel=create`);
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(en.name).fill(name);
  await drawer.getByRole("button", { name: en.create }).click();
  const first = (await drawer.locator("pre").first().textContent()) ?? "";
  await drawer.getByRole("button", { name: en.done }).click();

  await page.getByRole("textbox", { name: en.search, exact: true }).fill(name);
  await rowOf(page, name).click();
  await page.waitForURL(/panel=details/);
  await page.getByRole("dialog", { name: filled(en.details, { name }) }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: en.rotate }).click();
  await page.getByLabel(en.grace_hour).click();
  await page.getByRole("button", { name: en.rotateAction }).click();
  const second = (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
  expect(second).not.toBe(first);
  expect([await taken(first), await taken(second)]).toEqual([200, 200]);
  await page.getByRole("button", { name: en.done }).click();

  await rowOf(page, name)
    .getByRole("button", { name: filled(en.actionsOf, { name }) })
    .click();
  await page.getByRole("menuitem", { name: en.revoke }).click();
  await page.waitForURL(/panel=revoke/);
  const question = page.getByRole("dialog");
  const revoke = question.getByRole("button", { name: en.revoke });
  expect(await revoke.isDisabled()).toBe(true);
  await question.getByRole("textbox").fill(name);
  await revoke.click();
  await page.getByText(filled(en.revoked, { name })).waitFor();
  await page.getByText(en.noneTitle).waitFor();
  await expect.poll(() => taken(first)).toBe(401);
  expect(await taken(second)).toBe(401);
  console.expectNoTrouble();
});

test("several keys are disabled together", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  await console.goto(`${path}?state=enabled&sort=name`);
  const boxes = page.locator("tbody").getByRole("checkbox", { name: /Select row/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("button", { name: en.disableSelected, exact: true }).click();
  await page.getByText(filled(en.disabledMany_other, { count: "2" })).waitFor();
  console.expectNoTrouble();
});

test("A8 a viewer sees keys and has nothing to change them by", async () => {
  const console = await openConsole({ as: "viewer" });
  const { page } = console;
  await console.goto(path);
  await page.getByText(en.readOnly).waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
  expect(await page.getByRole("button", { name: en.create }).count()).toBe(0);
  await checkAccessibility(page);
  console.expectNoTrouble();
});

test("an account without keys says what to do; a search without a result says something else", async () => {
  const console = await openConsole({ as: "newcomer" });
  const { page } = console;
  await console.goto(`/a/${accountIds.empty}/keys`);
  await page.getByText(en.emptyTitle).waitFor();
  await console.goto(`/a/${accountIds.empty}/keys?search=nothing`);
  await page.getByText(en.noneTitle).waitFor();
  console.expectNoTrouble();
});
