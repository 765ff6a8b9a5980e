import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { en } from "../../packages/console/src/pages/playground/text.en.ts";
import { zh } from "../../packages/console/src/pages/playground/text.zh.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const texts = { en, zh };
const path = `/a/${accountIds.large}/playground`;

async function say(page: Page, t: (typeof texts)["en" | "zh"], message: string): Promise<void> {
  const before = await page.getByRole("link", { name: t.openCall }).count();
  await page.getByLabel(t.message, { exact: true }).fill(message);
  await page.getByRole("button", { name: t.send, exact: true }).click();
  await page.getByRole("link", { name: t.openCall }).nth(before).waitFor();
}

eachLook("one conversation goes on through all four protocols, each answer a call of its own", async (look) => {
  const t = texts[look.language];
  const console = await openConsole({ as: "member", ...look });
  const { page } = console;
  for (const [turn, protocol] of ["chat-completions", "responses", "messages", "generate-content"].entries()) {
    if (turn === 0) await console.goto(`${path}?model=sandbox&protocol=${protocol}`);
    else {
      await page.getByRole("combobox", { name: t.protocol }).click();
      await page.getByRole("option").nth(turn).click();
      await page.waitForURL(new RegExp(`protocol=${protocol}`));
    }
    await say(page, t, `Turn number ${turn} by ${protocol}`);
    const said = await page
      .locator("article")
      .nth(turn * 2 + 1)
      .textContent();
    expect(said).toContain(`Turn number ${turn} by ${protocol}`);
  }
  await checkAccessibility(page);
  await page.getByText(t.pane_raw, { exact: true }).click();
  expect(await page.locator("ol li").count()).toBeGreaterThan(3);
  await page.getByText(t.pane_request, { exact: true }).click();
  expect(await page.locator("pre").first().textContent()).toContain("Turn number 0 by chat-completions");
  await page.getByText(t.pane_code, { exact: true }).click();
  await page.getByText("INTERLINGUA_KEY").first().waitFor();
  await checkAccessibility(page);
  await page.getByRole("link", { name: t.openCall }).first().click();
  await page.waitForURL(/\/calls\/call_/);
  console.expectNoTrouble();
});

test("a tool that the model calls gets its result by hand", async () => {
  const console = await openConsole({ as: "member" });
  const { page } = console;
  await console.goto(`${path}?model=sandbox&protocol=messages`);
  await page.getByRole("button", { name: en.example }).first().click();
  await say(page, en, "Please use get_weather for Paris.");
  await page.getByText(en.toolCall.replace("{{name}}", "get_weather")).waitFor();
  await page.getByLabel(en.resultLabel.replace("{{name}}", "get_weather")).fill('{"weather":"rain"}');
  await page.getByRole("button", { name: en.sendResults }).click();
  await page.getByRole("link", { name: en.openCall }).nth(1).waitFor();
  expect(await page.locator("article").last().textContent()).toContain("rain");
  await checkAccessibility(page);
  console.expectNoTrouble();
});

test("S6 an answer is text, whatever it holds; a refusal shows the protocol's own body", async () => {
  const console = await openConsole({ as: "member" });
  const { page } = console;
  await console.goto(`${path}?model=sandbox&protocol=chat-completions`);
  await say(page, en, `<img src=x onerror="document.title='broken'"> **bold**`);
  expect(await page.locator("article").last().textContent()).toContain("<img src=x");
  expect(await page.locator("article img").count()).toBe(0);
  expect(await page.title()).not.toBe("broken");
  console.expectNoTrouble();
  console.expectTrouble("404", "429", "503");
  await page.getByRole("combobox", { name: en.model }).fill("no-such-model-at-all");
  await page.getByLabel(en.message, { exact: true }).fill("Hello");
  await page.getByRole("button", { name: en.send, exact: true }).click();
  await page.getByRole("alert").getByText("model_not_found").waitFor();
});

test("a request of another page opens as a conversation", async () => {
  const console = await openConsole({ as: "member" });
  const { page } = console;
  await console.goto(path);
  await page.evaluate(() =>
    sessionStorage.setItem(
      "playground.request",
      JSON.stringify({
        protocol: "messages",
        model: "sandbox",
        body: { max_tokens: 64, system: "Be short.", messages: [{ role: "user", content: "Taken over" }] },
      }),
    ),
  );
  await console.goto(`${path}?from=call_1`);
  await page.getByText(en.takenOver.replace("{{call}}", "call_1")).waitFor();
  expect(await page.getByLabel(en.system).inputValue()).toBe("Be short.");
  await page.getByRole("button", { name: en.retry }).click();
  await page.getByRole("link", { name: en.openCall }).waitFor();
  console.expectNoTrouble();
});

eachLook("the converter shows a pasted request in four protocols with what is lost", async (look) => {
  const t = texts[look.language];
  const console = await openConsole({ as: "member", ...look });
  const { page } = console;
  await console.goto(`${path}?tab=converter`);
  await page.getByRole("button", { name: t.exampleRequest }).click();
  await page.locator("#converted-generate-content").waitFor();
  const views = page.locator("section[aria-labelledby^=converted]");
  expect(await views.count()).toBe(4);
  expect(await views.nth(2).locator("pre").first().textContent()).toContain('"max_tokens": 200');
  expect(await views.nth(2).textContent()).toContain("logit_bias");
  await checkAccessibility(page);
  console.expectNoTrouble();
});

test("A8 a viewer makes no calls with a key of the page", async () => {
  const console = await openConsole({ as: "viewer" });
  const { page } = console;
  await console.goto(path);
  await page.getByText(en.noRole).waitFor();
  await page.getByLabel(en.message, { exact: true }).fill("Hello");
  expect(await page.getByRole("button", { name: en.send, exact: true }).isDisabled()).toBe(true);
  console.expectNoTrouble();
});
