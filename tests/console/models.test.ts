import { expect, test } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

eachLook("everybody finds a model, what it costs, and a call that works", async ({ language, theme }) => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "nobody", language, theme });
  const zh = language === "zh";
  await goto("/models");
  const rows = page.getByRole("row");
  const all = await rows.count();
  expect(all).toBeGreaterThan(5);
  await page.getByRole("textbox", { name: zh ? "搜索模型" : "Search models" }).fill("haiku");
  await expect.poll(() => rows.count()).toBe(2);
  expect(new URL(page.url()).searchParams.get("search")).toBe("haiku");
  expect(await rows.last().textContent()).toContain("$1.00");
  await checkAccessibility(page);

  await rows.last().focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog");
  await drawer.getByText(zh ? "缓存读取" : "Cache read").waitFor();
  await drawer.getByText("/v1/messages").waitFor();
  expect(new URL(page.url()).searchParams.get("model")).toBe("claude-haiku-4-5");
  await checkAccessibility(page);
  await drawer.getByRole("combobox").click();
  await page.getByRole("option", { name: "Responses" }).click();
  await drawer.getByText("/v1/responses").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: zh ? "清除筛选" : "Clear filters" }).click();
  await expect.poll(() => rows.count()).toBe(all);
  expectNoTrouble();
});

test("filters and order stand in the address", async () => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "owner" });
  await goto("/models?family=messages&sort=output&order=desc");
  const names = () => page.getByRole("row").locator("td:first-child").allTextContents();
  const shown = await names();
  expect(shown.indexOf("claude-opus-4-5")).toBeLessThan(shown.indexOf("claude-sonnet-4-5"));
  expect(shown.indexOf("claude-sonnet-4-5")).toBeLessThan(shown.indexOf("claude-haiku-4-5"));
  expect(shown).not.toContain("gpt-5.2");
  await page.getByRole("button", { name: /^Output/ }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("order")).toBe("asc");
  expectNoTrouble();
});

test("nothing that fits says so, and how to see more", async () => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "nobody" });
  await goto("/models?search=no-such-model");
  await page.getByRole("heading", { name: "No model fits these filters" }).waitFor();
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByRole("table").waitFor();
  expectNoTrouble();
});
