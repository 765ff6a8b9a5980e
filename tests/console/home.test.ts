import { expect, inject, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { en } from "../../packages/console/src/pages/home/text.en.ts";
import { zh } from "../../packages/console/src/pages/home/text.zh.ts";
import { en as operatorEn } from "../../packages/console/src/pages/operator-home/text.en.ts";
import { zh as operatorZh } from "../../packages/console/src/pages/operator-home/text.zh.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";
import { ownAccount } from "./support/operate.ts";

useBrowser();

const texts = { en: { ...en, operator: operatorEn }, zh: { ...zh, operator: operatorZh } };

eachLook("the figures of the day, its chart and the last calls, each of which opens", async (look) => {
  const t = texts[look.language];
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(`/a/${accountIds.large}/home`);
  for (const label of [t.available, t.spendToday, t.callsToday, t.errorRate, t.firstToken]) {
    await page.getByText(label, { exact: true }).waitFor();
  }
  await page.locator(".recharts-surface").first().waitFor();
  await checkAccessibility(page);
  await page.getByText(t.spend, { exact: true }).click();
  await page.waitForURL(/chart=spend/);
  await page.getByRole("region", { name: t.lastCalls }).locator("tbody tr").first().press("Enter");
  await page.waitForURL(/\/calls\/call_/);
  console.expectNoTrouble();
});

eachLook("a new account is led to its first call, and the page sees it arrive", async (look) => {
  const t = texts[look.language];
  const { address } = inject("scene");
  const account = await ownAccount(`first steps ${look.language} ${Date.now()}`, 5);
  const console = await openConsole({ as: "operator", ...look });
  const { page } = console;
  await console.goto(`/a/${account.id}/home`);
  const current = page.locator('li[aria-current="step"]');
  expect(await current.textContent()).toContain(t.stepKey);
  await checkAccessibility(page);
  const key = await account.makeKey();
  await expect.poll(() => current.textContent(), { timeout: 15_000 }).toContain(t.stepConnect);
  const call = (path: string, body: object) =>
    fetch(address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const messages = [{ role: "user", content: "Hello" }];
  expect((await call("/v1/chat/completions", { model: "gpt-5-mini", messages })).status).toBe(200);
  await page.getByText(t.arrived).waitFor();
  expect(await current.textContent()).toContain(t.stepProtocol);
  await checkAccessibility(page);
  expect((await call("/v1/responses", { model: "gpt-5-mini", input: "Hello" })).status).toBe(200);
  await page.getByText(t.stepsTitle).waitFor({ state: "detached" });
  await page.getByRole("region", { name: t.lastCalls }).locator("tbody tr").first().waitFor();
  console.expectNoTrouble();
});

eachLook("operators see all accounts and channels, and get from a model to its usage", async (look) => {
  const t = texts[look.language].operator;
  const console = await openConsole({ as: "operator", ...look });
  const { page } = console;
  await console.goto("/operator/home");
  await page.getByRole("region", { name: t.channels }).locator("tbody tr").first().waitFor();
  await checkAccessibility(page);
  const models = page.locator("section", { has: page.getByRole("heading", { name: t.topModels }) });
  await models.getByRole("link").nth(1).click();
  await page.waitForURL(/\/operator\/usage\?.*model=/);
  console.expectNoTrouble();
});

test("an overview that cannot be loaded says so, with a way to try again, and shows no zeros", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  console.expectTrouble("500", "Failed to load");
  await page.route("**/overview?**", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/json",
      body: JSON.stringify({ error: { code: "internal_error", message: "Broken for a test.", request_id: "req_1" } }),
    }),
  );
  await page.goto(`/a/${accountIds.large}/home`);
  await page.getByRole("alert").getByText("Broken for a test.").waitFor();
  expect(await page.getByText(en.callsToday).count()).toBe(0);
  await page.unroute("**/overview?**");
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await page.getByText(en.callsToday).waitFor();
});
