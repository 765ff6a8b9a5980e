import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const path = `/a/${accountIds.large}/calls`;
const words = {
  en: {
    title: "Calls",
    filters: "Filters",
    failed: "Failed calls",
    model: "Model",
    clear: "Clear filters",
    live: "Live",
    views: "Views",
    save: "Save this view …",
    name: "Name",
    keep: "Save",
    remove: "Delete",
    export: "Export",
    csv: "CSV, for spreadsheets",
    columns: "Columns",
    losses: "Losses",
  },
  zh: {
    title: "调用",
    filters: "筛选",
    failed: "失败的调用",
    model: "模型",
    clear: "清除筛选",
    live: "实时",
    views: "视图",
    save: "保存此视图…",
    name: "名称",
    keep: "保存",
    remove: "删除",
    export: "导出",
    csv: "CSV，用于电子表格",
    columns: "列",
    losses: "损失",
  },
};

const rowsOf = (page: Page) => page.locator("main tbody tr[tabindex]");

eachLook("the log is filtered by a click on a value, kept in the address, and cleared again", async (look) => {
  const t = words[look.language];
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(path);
  expect(await page.locator("h1").textContent()).toBe(t.title);
  expect(await rowsOf(page).count()).toBeGreaterThan(50);
  await checkAccessibility(page);

  const model = rowsOf(page)
    .first()
    .getByRole("button", { name: new RegExp(t.model) });
  const wanted = await model.textContent();
  await model.click();
  await page.waitForURL((url) => url.searchParams.get("model") === wanted);
  await page
    .getByRole("button", { name: new RegExp(`${t.model}.*${wanted}`) })
    .first()
    .waitFor();
  const shown = await page.locator(`main tbody button[aria-label*="${t.model}"]`).allInnerTexts();
  expect(new Set(shown)).toEqual(new Set([wanted]));

  await page.getByRole("button", { name: t.filters, exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: t.failed, exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("failed") === "1");
  await checkAccessibility(page);
  await page.reload();
  expect(await page.getByRole("button", { name: t.failed, exact: true }).getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: t.clear, exact: true }).first().click();
  await page.waitForURL((url) => url.search === "");
  console.expectNoTrouble();
});

eachLook("rows are walked by j and k, and Enter opens the call", async (look) => {
  const console = await openConsole({ as: "viewer", ...look });
  const { page } = console;
  await console.goto(path);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  const place = await page.evaluate(() => {
    const row = document.activeElement;
    return row instanceof HTMLTableRowElement ? row.sectionRowIndex : -1;
  });
  expect(place).toBe(1);
  const href = await rowsOf(page).nth(1).getByRole("link").first().getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === href);
  console.expectNoTrouble();
});

test("a call leads back to the list with the filters that it was found by", async () => {
  const console = await openConsole({ as: "viewer" });
  const { page } = console;
  await console.goto(`${path}?failed=1&range=24h`);
  await rowsOf(page).first().getByRole("link").first().click();
  await page.waitForURL(/\/calls\/call_/);
  await page.getByRole("link", { name: "All calls" }).click();
  await page.waitForURL((url) => url.pathname === path && url.search === "?failed=1&range=24h");
  await rowsOf(page).first().waitFor();
  console.expectNoTrouble();
});

eachLook("a call that ends while the log is live appears by itself", async (look) => {
  const { address, keys } = inject("scene");
  const console = await openConsole({ as: "member", ...look });
  const { page } = console;
  await console.goto(path);
  await page.getByRole("button", { name: words[look.language].live, exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("live") === "1");
  const before = await rowsOf(page).first().getByRole("link").first().getAttribute("href");
  const answer = await fetch(`${address}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.large}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "claude-haiku-4-5", messages: [{ role: "user", content: "Are you there?" }] }),
  });
  expect(answer.status).toBe(200);
  const id = answer.headers.get("x-request-id") ?? "";
  await page.locator(`main tbody a[href$="/${id}"]`).waitFor({ timeout: 10_000 });
  expect(await rowsOf(page).first().getByRole("link").first().getAttribute("href")).not.toBe(before);
  console.expectNoTrouble();
});

eachLook("a view is saved under a name, opened again, and deleted", async (look) => {
  const t = words[look.language];
  const name = `Failures ${look.language} ${Date.now()}`;
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(`${path}?failed=1&range=24h`);
  await page.getByRole("button", { name: t.views, exact: true }).click();
  await page.getByRole("button", { name: t.save }).click();
  await page.getByRole("textbox", { name: t.name }).fill(name);
  await page.getByRole("button", { name: t.keep, exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await console.goto(path);
  await page.getByRole("button", { name: t.views, exact: true }).click();
  await page.getByRole("button", { name, exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("failed") === "1" && url.searchParams.get("range") === "24h");
  await page.getByRole("button", { name: t.views, exact: true }).click();
  await page.getByRole("button", { name: new RegExp(`${t.remove}.*${name}`) }).click();
  await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" });
  console.expectNoTrouble();
});

test("S6 the export is a file with the calls that are shown", async () => {
  const t = words.en;
  const console = await openConsole({ as: "viewer" });
  const { page } = console;
  await console.goto(`${path}?failed=1&range=24h`);
  await page.getByRole("button", { name: t.export, exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: t.csv }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^calls-.*\.csv$/);
  const lines = (await text(await download.createReadStream())).trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^id,started_at,/);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(1)) expect(line).toMatch(/^call_/);
  console.expectNoTrouble();
});

test("columns that were taken out stay out", async () => {
  const t = words.en;
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  await console.goto(path);
  const header = page.getByRole("columnheader", { name: t.losses });
  await header.waitFor();
  await page.getByRole("button", { name: t.columns, exact: true }).click();
  await page.getByRole("checkbox", { name: t.losses }).uncheck();
  await header.waitFor({ state: "detached" });
  await console.goto(path);
  expect(await header.count()).toBe(0);
  console.expectNoTrouble();
});

test("a list that cannot be loaded says so, and never looks like an empty one", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  console.expectTrouble("500", "503");
  await page.route("**/api/v1/accounts/*/calls?*", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/json",
      body: JSON.stringify({ error: { code: "storage_unavailable", message: "Away.", request_id: "req_away" } }),
    }),
  );
  await page.goto(path);
  const alert = page.getByRole("alert").filter({ hasText: "could not be loaded" });
  await alert.waitFor();
  expect(await alert.textContent()).toContain("req_away");
  expect(await page.getByText("No calls").count()).toBe(0);
  await page.unroute("**/api/v1/accounts/*/calls?*");
  await alert.getByRole("button", { name: "Try again" }).click();
  await rowsOf(page).first().waitFor();
});

test("at the width of a phone the page itself does not scroll sideways", async () => {
  const console = await openConsole({ as: "owner", phone: true });
  const { page } = console;
  await console.goto(path);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await checkAccessibility(page);
  console.expectNoTrouble();
});

test("operators see the calls of all accounts, by name, and reach one of them", async () => {
  const console = await openConsole({ as: "operator" });
  const { page } = console;
  await console.goto("/operator/calls?range=all");
  const accounts = await page.locator('main tbody button[aria-label^="Filter by Account"]').allInnerTexts();
  expect(accounts.length).toBeGreaterThan(0);
  await rowsOf(page).first().getByRole("link").first().click();
  await page.waitForURL(/\/operator\/calls\/call_/);
  await page.getByRole("heading", { name: "What it cost" }).waitFor();
  console.expectNoTrouble();
});
