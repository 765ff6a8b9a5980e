import { beforeAll, expect, inject, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const words = {
  en: {
    timeline: "Timeline",
    cost: "What it cost",
    notices: "Losses and changes",
    dropped: "Left out",
    show: "Show the content",
    differences: "Differences",
    removed: "removed",
    search: "Search in the bodies",
    match: "1 match",
    replay: "Replay",
    protocol: "Protocol",
    open: "Convert and open",
    noRight: "Your role does not allow reading content.",
  },
  zh: {
    timeline: "时间线",
    cost: "费用明细",
    notices: "损失与改动",
    dropped: "已舍去",
    show: "显示内容",
    differences: "差异",
    removed: "移除",
    search: "在正文中搜索",
    match: "1 处匹配",
    replay: "重放",
    protocol: "协议",
    open: "转换并打开",
    noRight: "您的角色无权查看内容。",
  },
};

let id = "";

/** A converted, streamed call with a loss, made for these tests. */
beforeAll(async () => {
  const { address, keys } = inject("scene");
  const answer = await fetch(`${address}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": keys.large, "anthropic-version": "2023-06-01", "content-type": "application/json" },
    body: JSON.stringify({
      model: "gpt-5.2",
      max_tokens: 200,
      top_k: 7,
      stream: true,
      messages: [{ role: "user", content: "What is a zeugma? <script>alert(1)</script>" }],
    }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  id = answer.headers.get("x-request-id") ?? "";
});

const at = () => `/a/${accountIds.large}/calls/${id}`;

eachLook(
  "S2 a call is shown with its times, price lines, losses and the four bodies, and their differences",
  async (look) => {
    const t = words[look.language];
    const console = await openConsole({ as: "member", ...look });
    const { page } = console;
    await console.goto(at());
    for (const title of [t.timeline, t.cost, t.notices]) await page.getByRole("heading", { name: title }).waitFor();
    await page.getByRole("row", { name: new RegExp(`top_k.*${t.dropped}`) }).waitFor();
    await checkAccessibility(page);

    await page.getByRole("button", { name: t.show }).click();
    await page.waitForURL((url) => url.searchParams.get("wire") === "1");
    await page.getByText("top_k").nth(1).waitFor();
    // What callers send is text here, whatever it looks like.
    expect(await page.locator("main script").count()).toBe(0);
    await page.getByText("response.completed").first().waitFor();
    await page.getByText("message_stop").first().waitFor();
    await checkAccessibility(page);
    await page.getByRole("textbox", { name: t.search }).fill('"top_k": 7');
    await page.getByText(t.match, { exact: true }).waitFor();
    expect(await page.locator("mark").allInnerTexts()).toEqual(expect.arrayContaining(['"top_k"']));

    await page.getByText(t.differences, { exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get("view") === "diff");
    await page.getByRole("row", { name: new RegExp(`top_k.*${t.removed}.*7`) }).waitFor();
    await checkAccessibility(page);
    console.expectNoTrouble();
  },
);

eachLook("a kept request is converted in the browser and handed to the playground", async (look) => {
  const t = words[look.language];
  const console = await openConsole({ as: "owner", ...look });
  const { page } = console;
  await console.goto(`${at()}?wire=1`);
  // The playground takes what is handed over: it is looked at on the way.
  await page.evaluate(() => {
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function (name: string, value: string) {
      if (name === "playground.request") localStorage.setItem("handed.over", value);
      set.call(this, name, value);
    };
  });
  await page.getByRole("button", { name: t.replay, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: t.protocol }).click();
  await page.getByRole("option", { name: "Generate Content" }).click();
  await checkAccessibility(page);
  await dialog.getByRole("button", { name: t.open }).click();
  await page.waitForURL(/\/playground\?from=call_/);
  const handed: unknown = JSON.parse((await page.evaluate(() => localStorage.getItem("handed.over"))) ?? "");
  expect(handed).toMatchObject({
    protocol: "generate-content",
    model: "gpt-5.2",
    body: { contents: [{ parts: [{ text: expect.stringContaining("zeugma") }] }] },
  });
  // The playground shows it.
  await page.getByText("zeugma").first().waitFor();
  console.expectNoTrouble();
});

eachLook("S2 a viewer sees the call, but not what was said", async (look) => {
  const console = await openConsole({ as: "viewer", ...look });
  const { page } = console;
  await console.goto(`${at()}?wire=1`);
  await page.getByText(words[look.language].noRight).waitFor();
  expect(await page.getByText("zeugma").count()).toBe(0);
  console.expectNoTrouble();
});

test("A7 a call of another account is not there, and the page says that it could not be loaded", async () => {
  const console = await openConsole({ as: "newcomer" });
  const { page } = console;
  console.expectTrouble("404");
  await page.goto(`/a/${accountIds.empty}/calls/${id}`);
  await page.getByRole("alert").filter({ hasText: "could not be loaded" }).waitFor();
});

test("at the width of a phone one body is shown at a time, and the page does not scroll sideways", async () => {
  const console = await openConsole({ as: "member", phone: true });
  const { page } = console;
  await console.goto(`${at()}?wire=1`);
  await page.getByRole("heading", { level: 3, name: /Client's request/ }).waitFor();
  expect(await page.getByRole("heading", { level: 3 }).count()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await checkAccessibility(page);
  console.expectNoTrouble();
});
