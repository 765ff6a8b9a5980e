import { expect, inject, test } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

/* The sentence on the whole depends on what operators have noted; each of them is one. */
const words = {
  en: {
    overall: /works|worse|reached|traffic|disturbance|Maintenance/,
    table: "Show as a table",
    bars: "Show as bars",
    feed: "RSS feed",
  },
  zh: { overall: /正常|不如|访问|判断|故障|维护/, table: "以表格显示", bars: "以柱状图显示", feed: "RSS 订阅" },
} as const;

eachLook("everybody sees 90 days of each channel and model, as bars and as a table", async ({ language, theme }) => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "nobody", language, theme });
  const say = words[language];
  await goto("/status");
  expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toMatch(say.overall);
  const bars = page.getByRole("img", { name: /90/ });
  expect(await bars.count()).toBeGreaterThan(10);
  // The text says what the bars show.
  expect(await bars.nth(1).getAttribute("aria-label")).toMatch(/\d/);
  await bars.nth(1).hover();
  await checkAccessibility(page);
  await page.getByRole("button", { name: say.table }).click();
  await page.getByRole("region").first().waitFor();
  expect(new URL(page.url()).searchParams.get("view")).toBe("table");
  await checkAccessibility(page);
  await page.getByRole("button", { name: say.bars }).click();
  await bars.first().waitFor();
  expect(await page.getByRole("link", { name: say.feed }).getAttribute("href")).toBe("/status.rss");
  expectNoTrouble();
});

test("what cannot be loaded does not look like a service that is well", async () => {
  const { page, goto, expectTrouble } = await openConsole({ as: "nobody" });
  expectTrouble("503");
  await page.route("**/api/v1/public/status", (route) =>
    route.fulfill({ status: 503, json: { error: { code: "storage_unavailable", message: "The database is away." } } }),
  );
  await goto("/status");
  await page.getByRole("alert").waitFor({ timeout: 30_000 });
  expect(await page.getByRole("heading", { level: 2 }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Try again" }).isVisible()).toBe(true);
});

eachLook("an operator tells of a disturbance, says what is new, and ends it; everybody reads it", async (look) => {
  const zh = look.language === "zh";
  const operator = await openConsole({ as: "operator", ...look });
  const { page } = operator;
  const title = `Answers <b>break</b> off ${look.language}`;
  await operator.goto("/status");
  await page.getByRole("button", { name: zh ? "添加通告" : "Add note" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(zh ? "标题" : "Title").fill(title);
  await drawer.getByLabel(zh ? "已知情况" : "What is known").fill("We look into it.");
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: zh ? "发布" : "Publish" }).click();
  const note = page.getByRole("article").filter({ hasText: title });
  await note.waitFor();

  const reader = await openConsole({ as: "nobody", ...look });
  await reader.goto("/status");
  const read = reader.page.getByRole("article").filter({ hasText: title });
  await read.waitFor();
  expect(await read.getByRole("button").count()).toBe(0);
  await checkAccessibility(reader.page);
  reader.expectNoTrouble();
  const feed = await fetch(`${inject("scene").address}/status.rss`);
  expect(await feed.text()).toContain("Answers &lt;b&gt;break&lt;/b&gt; off");

  await note.getByRole("button", { name: zh ? "编辑" : "Edit" }).click();
  await drawer.getByLabel(zh ? "最新情况" : "What is new").fill("It is over.");
  await drawer.getByLabel(zh ? "故障已结束" : "It is over").check();
  await drawer.getByRole("button", { name: zh ? "发布" : "Publish" }).click();
  await drawer.getByRole("button", { name: zh ? "重新打开" : "Open it again" }).waitFor();
  await page.keyboard.press("Escape");
  await note.getByText("It is over.").waitFor();
  operator.expectNoTrouble();
});
