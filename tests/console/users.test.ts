import { expect } from "vitest";
import { accountIds } from "../../bench/installation/accounts.ts";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const words = {
  en: {
    invite: "Invite a user",
    email: /E-mail address/,
    name: /^Name/,
    make: "Make the invitation",
    done: "Done",
    search: "Search users",
    disable: "Disable",
    enable: "Enable",
    add: "Add a member",
    addButton: "Add",
    password: "Password",
    roleOf: (name: string) => `Role of ${name}`,
  },
  zh: {
    invite: "邀请用户",
    email: /邮箱地址/,
    name: /^姓名/,
    make: "生成邀请",
    done: "完成",
    search: "搜索用户",
    disable: "停用",
    enable: "启用",
    add: "添加成员",
    addButton: "添加",
    password: "密码",
    roleOf: (name: string) => `${name} 的角色`,
  },
} as const;

eachLook(
  "an operator invites a user, who sets a password by the link; the operator disables and enables",
  async (look) => {
    const operator = await openConsole({ as: "operator", ...look });
    const { page } = operator;
    const say = words[look.language];
    const name = `Grace ${look.language}`;
    const email = `grace-${look.language}@example.com`;
    await operator.goto("/operator/users");
    await page.getByRole("button", { name: say.invite }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByLabel(say.email).fill(email);
    await drawer.getByLabel(say.name).fill(name);
    await checkAccessibility(page);
    await drawer.getByRole("button", { name: say.make }).click();
    const link = new URL(((await drawer.locator("pre").first().textContent()) ?? "").trim());
    await drawer.getByRole("button", { name: say.done }).click();

    const guest = await openConsole({ as: "nobody", ...look });
    await guest.goto(`${link.pathname}${link.hash}`);
    await guest.page.getByText(email).waitFor();
    // What is secret is out of the address.
    expect(guest.page.url()).not.toContain("invite");
    await checkAccessibility(guest.page);
    await guest.page.getByLabel(say.password, { exact: true }).fill("a long and good one");
    await guest.page.locator('button[type="submit"]').click();
    await guest.page.waitForURL(/\/profile/);
    guest.expectNoTrouble();

    await operator.goto("/operator/users");
    await page.getByRole("textbox", { name: say.search }).fill("grace");
    await page.getByRole("row").filter({ hasText: email }).click();
    await drawer.getByRole("button", { name: say.disable, exact: true }).click();
    await page.getByRole("dialog").last().getByRole("button", { name: say.disable, exact: true }).click();
    await drawer.getByRole("button", { name: say.enable, exact: true }).click();
    await drawer.getByRole("button", { name: say.disable, exact: true }).waitFor();
    operator.expectNoTrouble();
  },
);

eachLook("an owner adds a member of the account and changes the role", async (look) => {
  const { page, goto, expectNoTrouble } = await openConsole({ as: "owner", ...look });
  const say = words[look.language];
  const email = `member-${look.language}@example.com`;
  await goto(`/a/${accountIds.large}/settings`);
  await page.getByRole("button", { name: say.add }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(say.email).fill(email);
  await checkAccessibility(page);
  await drawer.getByRole("button", { name: say.addButton, exact: true }).click();
  await drawer.locator("pre").first().waitFor();
  await drawer.getByRole("button", { name: say.done }).click();
  await page.getByRole("row").filter({ hasText: email }).waitFor();
  expect(await page.getByLabel(say.roleOf(email)).first().count()).toBe(1);
  await checkAccessibility(page);
  expectNoTrouble();
});
