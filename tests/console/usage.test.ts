import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { en } from "../../packages/console/src/pages/usage/text.en.ts";
import { zh } from "../../packages/console/src/pages/usage/text.zh.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";
import { cookieHeader } from "./support/session.ts";

useBrowser();

const texts = { en, zh };
const path = `/a/${accountIds.small}/usage`;

/** The cell of the total's row, in the table. */
const totalOf = (page: Page, name: string, column: number) =>
  page.locator("tbody tr", { hasText: name }).last().locator("td").nth(column);

eachLook("M14 the totals of a day are those of the list of calls that the page leads to", async (look) => {
  const t = texts[look.language];
  const { address, sessions } = inject("scene");
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(`${path}?range=24h`);
  await page.locator(".recharts-surface").first().waitFor();
  await checkAccessibility(page);
  const calls = Number(((await totalOf(page, t.total, 1).textContent()) ?? "").replaceAll(",", ""));
  const cost = await totalOf(page, t.total, 6).textContent();
  await page.getByRole("link", { name: t.seeCalls }).click();
  await page.waitForURL(/\/calls\?/);
  const search = new URL(page.url()).searchParams;
  let [count, charge] = [0, 0n];
  let cursor = "";
  do {
    const query = new URLSearchParams({ from: search.get("from") ?? "", to: search.get("to") ?? "", limit: "200" });
    if (cursor !== "") query.set("cursor", cursor);
    const answer = await fetch(`${address}/api/v1/accounts/${accountIds.small}/calls?${query}`, {
      headers: { cookie: cookieHeader(sessions.owner) },
    });
    // The shape that the API's document names.
    const list = (await answer.json()) as { items: { charge: string }[]; next: string | null };
    count += list.items.length;
    charge += list.items.reduce((sum, call) => sum + BigInt(call.charge), 0n);
    cursor = list.next ?? "";
  } while (cursor !== "");
  expect(calls).toBe(count);
  const decimals = String(charge % 1_000_000_000n).padStart(9, "0");
  const exact = `$${charge / 1_000_000_000n}.${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, "")}`;
  expect(cost?.replaceAll(",", "")).toBe(exact);
  console.expectNoTrouble();
});

eachLook("what is chosen stands in the address: dimension, measure, a value to filter by, and back", async (look) => {
  const t = texts[look.language];
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(path);
  await page.getByRole("tab", { name: t.dimension_channel }).click();
  await page.waitForURL(/dimension=channel/);
  await page.getByText(t.tokens, { exact: true }).last().click();
  await page.waitForURL(/measure=tokens/);
  await page.locator("tbody button").first().click();
  await page.waitForURL(/channel=/);
  const pill = page.getByRole("button", { name: new RegExp(t.removeFilter.split("{{")[0] ?? "") });
  await pill.waitFor();
  await checkAccessibility(page);
  await pill.click();
  await page.waitForURL((url) => !url.searchParams.has("channel"));
  await page.goBack();
  await page.waitForURL(/channel=/);
  console.expectNoTrouble();
});

test("S6 the export is a file of the same time and filters", async () => {
  const console = await openConsole({ as: "owner" });
  const { page } = console;
  await console.goto(`${path}?dimension=client_protocol&range=24h`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: en.export }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("usage-by-client_protocol.csv");
  console.expectNoTrouble();
});

test("operators break down by account, and a phone shows it all without scrolling sideways", async () => {
  const console = await openConsole({ as: "operator", phone: true });
  const { page } = console;
  await console.goto("/operator/usage");
  await page.getByRole("tab", { name: en.dimension_account }).waitFor();
  await page.locator(".recharts-surface").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await checkAccessibility(page);
  console.expectNoTrouble();
});
