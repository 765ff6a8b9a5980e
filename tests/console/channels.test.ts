import { expect, inject, test } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";
import { cookieHeader } from "./support/session.ts";

useBrowser();

const words = {
  en: {
    add: "Add channel",
    compatible: "Compatible",
    name: "Name",
    address: "Address",
    credential: "Credential",
    models: "Models",
    test: "Test now",
    works: "The channel works",
    modelsTab: "Models",
    fetch: "Fetch models",
    save: "Save, 1 change",
    overview: "Overview",
    disable: "Disable",
    takesNone: "takes no new calls",
    undo: "Undo",
    operational: "Operational",
    delete: "Delete",
    close: "Close",
    priority: (name: string) => `Priority of ${name}`,
    type: (name: string) => `Type ${name} to confirm`,
  },
  zh: {
    add: "添加渠道",
    compatible: "兼容接口",
    name: "名称",
    address: "地址",
    credential: "凭据",
    models: "模型",
    test: "立即测试",
    works: "渠道可用",
    modelsTab: "模型",
    fetch: "获取模型",
    save: "保存 1 项更改",
    overview: "概览",
    disable: "停用",
    takesNone: "不再接收新调用",
    undo: "撤销",
    operational: "正常",
    delete: "删除",
    close: "关闭",
    priority: (name: string) => `${name} 的优先级`,
    type: (name: string) => `输入 ${name} 以确认`,
  },
};

interface Listed {
  name: string;
  base_url: string | null;
  protocols: string[];
  priority: number;
  models: { id: string }[];
}

async function channels(): Promise<Listed[]> {
  const { address, sessions } = inject("scene");
  const answer = await fetch(`${address}/api/v1/channels`, { headers: { cookie: cookieHeader(sessions.operator) } });
  // As the API's document says.
  return ((await answer.json()) as { items: Listed[] }).items;
}

eachLook("a channel is added, tested, given the provider's models, reordered, disabled and deleted", async (look) => {
  const t = words[look.language];
  const name = `made-${look.language}`;
  const upstream = (await channels()).find(
    ({ protocols }) => protocols.includes("chat-completions") && protocols.length < 4,
  );
  const console = await openConsole({ as: "operator", ...look });
  const { page } = console;
  await console.goto("/operator/channels");
  await page.getByRole("button", { name: t.add }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(t.compatible, { exact: true }).click();
  await drawer.getByLabel(t.name, { exact: true }).fill(name);
  await drawer.getByLabel(t.address).fill(upstream?.base_url ?? "");
  await drawer.getByLabel(t.credential, { exact: true }).fill("provider-secret");
  await drawer.getByLabel(t.models, { exact: true }).fill("brisk = sandbox");
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: t.add }).click();

  // What was made is opened where it can be tested.
  await drawer.getByRole("button", { name: t.test }).click();
  await drawer.getByText(t.works).waitFor();
  expect(page.url()).toContain(`channel=${name}`);
  await checkAccessibility(page);

  await drawer.getByRole("tab", { name: t.modelsTab }).click();
  await drawer.getByRole("button", { name: t.fetch }).click();
  const offered = drawer.getByRole("checkbox", { name: "sandbox", exact: true });
  expect(await offered.isChecked()).toBe(true);
  const others = drawer.getByRole("checkbox", { checked: false });
  await others.first().click();
  await drawer.getByRole("button", { name: t.save }).click();
  await expect.poll(async () => (await channels()).find((each) => each.name === name)?.models.length).toBe(2);

  await drawer.getByRole("tab", { name: t.overview }).click();
  await drawer.getByRole("button", { name: t.disable }).click();
  await page.getByText(t.takesNone).waitFor();
  await page.getByRole("button", { name: t.undo }).click();
  await drawer.getByRole("button", { name: t.disable }).waitFor();
  await drawer.getByRole("button", { name: t.close }).click();

  const priority = page.getByLabel(t.priority(name));
  await priority.fill("7");
  await priority.press("Enter");
  await expect.poll(async () => (await channels()).find((each) => each.name === name)?.priority).toBe(7);

  await page
    .getByRole("row", { name: new RegExp(name) })
    .getByText(name, { exact: true })
    .click();
  await drawer.getByRole("button", { name: t.delete }).click();
  await page.getByLabel(t.type(name)).fill(name);
  await page.getByRole("dialog").last().getByRole("button", { name: t.delete }).click();
  await expect.poll(async () => (await channels()).some((each) => each.name === name)).toBe(false);
  console.expectNoTrouble();
});

test("S3 an address that leads inward is refused at its field, and nothing of the form is lost", async () => {
  const console = await openConsole({ as: "operator" });
  const { page } = console;
  console.expectTrouble("400");
  await console.goto("/operator/channels?create=1");
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name", { exact: true }).fill("inward");
  await drawer.getByLabel("Address").fill("https://169.254.169.254/latest");
  await drawer.getByLabel("Credential", { exact: true }).fill("provider-secret");
  await drawer.getByRole("button", { name: "Add channel" }).click();
  await drawer.getByText("leads to an internal address").waitFor();
  expect(await drawer.getByLabel("Name", { exact: true }).inputValue()).toBe("inward");
  await checkAccessibility(page);
  console.expectNoTrouble();
});

test("a channel of the configuration is shown and cannot be changed", async () => {
  const declared = (await channels())[0]?.name ?? "";
  const console = await openConsole({ as: "operator", phone: true });
  const { page } = console;
  await console.goto(`/operator/channels?channel=${declared}`);
  const drawer = page.getByRole("dialog");
  await drawer.getByText("Stands in the configuration file").waitFor();
  expect(await drawer.getByRole("tab", { name: "Edit" }).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await checkAccessibility(page);
  console.expectNoTrouble();
});
