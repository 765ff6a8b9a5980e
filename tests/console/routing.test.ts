import { expect, inject } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";
import { cookieHeader } from "./support/session.ts";

useBrowser();

const words = {
  en: {
    add: "Add rule",
    model: "Model",
    refuse: "Refuse",
    rewrite: "Another model",
    message: "Message to the caller",
    rewriteTo: "Model to ask for",
    explain: "Explain",
    refused: "403: a rule refuses the call.",
    unknown: "404: no channel offers this model.",
    tried: /would be tried/,
    sentence: (model: string) => `When the model is ${model}, refuse with`,
    up: (place: number) => `Move rule ${place} up`,
    delete: (place: number) => `Delete rule ${place}`,
  },
  zh: {
    add: "添加规则",
    model: "模型",
    refuse: "拒绝",
    rewrite: "改用模型",
    message: "给调用方的提示",
    rewriteTo: "改用的模型",
    explain: "解释",
    refused: "403：规则拒绝此调用。",
    unknown: "404：没有渠道提供此模型。",
    tried: /将按以下顺序尝试/,
    sentence: (model: string) => `当模型是 ${model} 时，拒绝`,
    up: (place: number) => `上移规则 ${place}`,
    delete: (place: number) => `删除规则 ${place}`,
  },
};

async function rules(): Promise<{ id: string; model: string | null }[]> {
  const { address, sessions } = inject("scene");
  const answer = await fetch(`${address}/api/v1/routing-rules`, {
    headers: { cookie: cookieHeader(sessions.operator) },
  });
  // As the API's document says.
  return ((await answer.json()) as { items: { id: string; model: string | null }[] }).items;
}

eachLook("rules are made, read as sentences, reordered by the keyboard, explained and deleted", async (look) => {
  const t = words[look.language];
  const model = `test-${look.language}`;
  const before = (await rules()).length;
  const console = await openConsole({ as: "operator", ...look });
  const { page } = console;
  await console.goto("/operator/routing");
  const add = async (kind: string, label: string, value: string) => {
    await page.getByRole("button", { name: t.add }).first().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByLabel(t.model, { exact: true }).fill(model);
    await drawer.getByText(kind, { exact: true }).click();
    await drawer.getByLabel(label).fill(value);
    await checkAccessibility(page);
    await drawer.getByRole("button", { name: t.add }).click();
    await drawer.waitFor({ state: "detached" });
  };
  await add(t.refuse, t.message, "Not here.");
  await page.getByText(t.sentence(model)).waitFor();
  await add(t.rewrite, t.rewriteTo, "sandbox");

  const ask = async () => {
    await page.locator("form").getByLabel(t.model, { exact: true }).fill(model);
    await page.getByRole("button", { name: t.explain }).click();
  };
  await ask();
  await page.getByText(t.refused).waitFor();
  expect(page.url()).toContain(`model=${model}`);

  // The rule that was made last goes before the one that refuses.
  const up = page.getByRole("button", { name: t.up(before + 2) });
  await up.focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await rules())[before + 1]?.model).toBe(model);
  await page.getByText(t.tried).waitFor();
  await checkAccessibility(page);

  for (const left of [before + 2, before + 1]) {
    await page.getByRole("button", { name: t.delete(left) }).click();
    await expect.poll(async () => (await rules()).length).toBe(left - 1);
    await page.getByRole("button", { name: t.delete(left) }).waitFor({ state: "detached" });
  }
  await page.getByText(t.unknown).waitFor();
  console.expectNoTrouble();
});
