import { expect, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { en } from "../../packages/console/src/pages/balance/text.en.ts";
import { zh } from "../../packages/console/src/pages/balance/text.zh.ts";
import { en as alertsEn } from "../../packages/console/src/shared/alerts/text.en.ts";
import { zh as alertsZh } from "../../packages/console/src/shared/alerts/text.zh.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";
import { operate, ownAccount } from "./support/operate.ts";

useBrowser();

const texts = { en: { ...en, alert: alertsEn }, zh: { ...zh, alert: alertsZh } };

eachLook(
  "M13 a code is redeemed once: the balance and the ledger tell of it, and a used one is not good",
  async (look) => {
    const t = texts[look.language];
    const account = await ownAccount(`codes ${look.language} ${Date.now()}`, 0);
    const made = await operate("POST", "/api/v1/redemption-codes", { amount: "12500000000", count: 1 });
    // The shape that the API's document names.
    const [{ code }] = made.items as [{ code: string }];
    const console = await openConsole({ as: "operator", ...look });
    const { page } = console;
    console.expectTrouble("400");
    await console.goto(`/a/${account.id}/balance`);
    await page.getByRole("heading", { name: t.emptyTitle }).waitFor();
    await checkAccessibility(page);
    const field = page.getByLabel(t.code);
    const redeem = page.getByRole("button", { name: t.redeem, exact: true });
    await field.fill(code);
    await redeem.click();
    const row = page.getByRole("region", { name: t.ledger }).locator("tbody tr");
    await row.getByText(t.kind_redemption, { exact: true }).waitFor();
    expect(await row.first().textContent()).toContain("+$12.50");
    await field.fill(code);
    await redeem.click();
    await page.getByText(t.codeNotGood).waitFor();
    await checkAccessibility(page);
    expect(await row.count()).toBe(1);
    console.expectNoTrouble();
  },
);

eachLook("money that runs low is told of until somebody has seen it", async (look) => {
  const t = texts[look.language];
  const account = await ownAccount(`alerts ${look.language} ${Date.now()}`, 10);
  await operate("POST", `/api/v1/accounts/${account.id}/credits`, { kind: "adjustment", amount: "-8500000000" });
  const console = await openConsole({ as: "operator", ...look });
  const { page } = console;
  await console.goto(`/a/${account.id}/balance`);
  const title = t.alert.balance.replace("{{percent}}", "85");
  await page.getByText(title).waitFor();
  const link = page
    .getByRole("navigation")
    .getByRole("link", { name: new RegExp(look.language === "en" ? "^Balance" : "^余额") });
  expect(await link.textContent()).toContain("1");
  await checkAccessibility(page);
  await page.getByRole("button", { name: t.alert.acknowledgeLabel.replace("{{title}}", title) }).click();
  await page.getByText(title).waitFor({ state: "detached" });
  await console.goto(`/a/${account.id}/home`);
  expect(await page.getByText(title).count()).toBe(0);
  console.expectNoTrouble();
});

eachLook("an owner sets the thresholds in a drawer that stands in the address", async (look) => {
  const t = texts[look.language];
  const account = await ownAccount(`thresholds ${look.language} ${Date.now()}`, 1);
  const console = await openConsole({ as: "operator", ...look });
  const { page } = console;
  await console.goto(`/a/${account.id}/balance?alerts=1`);
  const drawer = page.getByRole("dialog");
  const field = drawer.getByLabel(t.thresholds);
  expect(await field.inputValue()).toBe("50, 80, 95");
  await checkAccessibility(page);
  await field.fill("120");
  await drawer.getByText(t.thresholdsWrong).waitFor();
  await field.fill("90, 60");
  await drawer.locator('button[type="submit"]').click();
  await page.getByText(t.saved).waitFor();
  await page.waitForURL((url) => !url.searchParams.has("alerts"));
  await page.getByRole("button", { name: t.alerts, exact: true }).click();
  await page.waitForURL(/alerts=1/);
  expect(await page.getByRole("dialog").getByLabel(t.thresholds).inputValue()).toBe("60, 90");
  console.expectNoTrouble();
});

test("the ledger runs on page by page, filters by kind and by key, and shows the balance after each entry", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  await console.goto(`/a/${accountIds.large}/balance`);
  const table = page.getByRole("region", { name: en.ledger });
  expect(await table.locator("tbody tr").count()).toBe(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => table.locator("tbody tr").count(), { timeout: 15_000 }).toBe(100);
  await table.locator("tbody button").first().click();
  await page.waitForURL(/key=key_/);
  await page.getByRole("button", { name: en.removeKey }).click();
  await page.waitForURL((url) => !url.searchParams.has("key"));
  await page.goto(`/a/${accountIds.large}/balance?kind=top_up`);
  await table.locator("tbody tr", { hasText: "+$5,000.00" }).first().waitFor();
  console.expectNoTrouble();
});
