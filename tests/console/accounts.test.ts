import { expect } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const words = {
  en: {
    create: "New account",
    name: "Name",
    make: "Create account",
    credit: "Credit or adjust",
    amount: /Amount in US dollars/,
    note: "Note",
    write: "Write into the ledger",
    suspend: "Suspend",
    suspended: "Suspended",
    undo: "Undo",
    active: "Active",
    search: "Search accounts",
    clear: "Clear filters",
    codes: "Redemption codes",
    newCodes: "New codes",
    makeCodes: "Make codes",
    done: "Done",
  },
  zh: {
    create: "新建账户",
    name: "名称",
    make: "创建账户",
    credit: "充值或调整",
    amount: /金额（美元）/,
    note: "备注",
    write: "写入账本",
    suspend: "停用",
    suspended: "已停用",
    undo: "撤销",
    active: "正常",
    search: "搜索账户",
    clear: "清除筛选",
    codes: "兑换码",
    newCodes: "新建兑换码",
    makeCodes: "生成兑换码",
    done: "完成",
  },
} as const;

eachLook("an operator makes an account, credits it, suspends it and takes that back", async (look) => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "operator", ...look });
  const say = words[look.language];
  const name = `Zephyr ${look.language} <b>Ltd</b>`;
  await goto("/operator/accounts");
  await page.getByRole("button", { name: say.create }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(say.name).fill(name);
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: say.make }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/operator\/accounts\/acct_/);

  await page.getByRole("button", { name: say.credit }).click();
  await drawer.getByLabel(say.amount).fill("25.50");
  await drawer.getByLabel(say.note, { exact: true }).fill("invoice 7");
  await drawer.getByRole("button", { name: say.write }).click();
  await page.getByText("$25.50", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: say.suspend, exact: true }).click();
  await page.getByText(say.suspended, { exact: true }).waitFor();
  await page.getByRole("button", { name: say.undo }).click();
  await page.getByText(say.active, { exact: true }).waitFor();
  await checkAccessibility(page);
  expectNoTrouble();
});

eachLook("accounts are found by their first letters, and the search stands in the address", async (look) => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "operator", ...look });
  const say = words[look.language];
  await goto("/operator/accounts");
  await page.getByRole("textbox", { name: say.search }).fill("aurora");
  await page.waitForURL(/search=aurora/);
  await page.getByText("Aurora Robotics").waitFor();
  await expect.poll(() => page.locator("tbody tr").count(), { timeout: 20_000 }).toBe(1);
  await goto("/operator/accounts?search=nothing-is-called-this");
  await page.getByRole("heading", { level: 2 }).waitFor();
  await checkAccessibility(page);
  await page.getByRole("button", { name: say.clear }).first().click();
  await expect.poll(() => page.locator("tbody tr").count(), { timeout: 20_000 }).toBeGreaterThan(5);
  expectNoTrouble();
});

eachLook("codes are shown once, when they are made", async (look) => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "operator", ...look });
  const say = words[look.language];
  await goto("/operator/accounts?tab=codes");
  await page.getByRole("button", { name: say.newCodes }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(say.amount).fill("5");
  await drawer.getByRole("button", { name: say.makeCodes }).click();
  await drawer.locator("pre").first().waitFor();
  const shown = (await drawer.locator("pre").first().textContent()) ?? "";
  expect(shown.trim().split("\n")).toHaveLength(10);
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: say.done }).click();
  await page.getByText("$5.00").first().waitFor();
  expect(await page.locator("main").textContent()).not.toContain(shown.split("\n")[0]);
  expectNoTrouble();
});
