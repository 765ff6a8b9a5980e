import { expect } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const words = {
  en: { what: "What", verify: "Verify", whole: "The log is whole", before: "Before", export: "Export", csv: "As CSV" },
  zh: { what: "操作", verify: "校验", whole: "日志完整", before: "变更前", export: "导出", csv: "CSV 格式" },
} as const;

eachLook(
  "the audit log is filtered by the address, opened to before and after, verified and exported",
  async (look) => {
    const { page, goto, expectNoTrouble } = await openConsole({ as: "operator", ...look });
    const say = words[look.language];
    // Something to find, whatever else is in the log.
    await goto("/operator/settings");
    const changed = await page.evaluate(async (text) => {
      const me = await (await fetch("/api/v1/me")).json();
      const answer = await fetch("/api/v1/settings", {
        method: "PATCH",
        headers: { "content-type": "application/json", "x-csrf-token": me.csrf_token },
        body: JSON.stringify({ values: { "console.notice": text } }),
      });
      return answer.status;
    }, `Notice ${look.language} <i>${look.theme}</i>`);
    expect(changed).toBe(200);

    await goto("/operator/audit");
    await page.getByLabel(say.what, { exact: true }).fill("settings.");
    await page.waitForURL(/action=settings\./);
    const row = page.locator("tbody tr").filter({ hasText: "settings.changed" }).first();
    await row.waitFor();
    await checkAccessibility(page);
    await row.click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("columnheader", { name: say.before }).waitFor();
    await drawer.getByText(`Notice ${look.language} <i>${look.theme}</i>`).first().waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });

    await page.getByRole("button", { name: say.verify }).click();
    await page.getByText(say.whole).waitFor();
    await page.getByRole("button", { name: say.export }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: say.csv }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
    expectNoTrouble();
  },
);
