import { expect } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { eachLook } from "./support/each-look.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

useBrowser();

const words = {
  en: { idle: "Silence within a stream", save: "Save 1 change", reset: "Reset to default: Silence within a stream" },
  zh: { idle: "流中的静默", save: "保存 1 项更改", reset: "恢复默认：流中的静默" },
} as const;

eachLook("a setting is refused with the reason, saved, and goes back to its default", async (look) => {
  const { page, goto, expectTrouble, expectNoTrouble } = await openConsole({ as: "operator", ...look });
  expectTrouble("400");
  const say = words[look.language];
  await goto("/operator/settings");
  const field = page.getByLabel(say.idle, { exact: true });
  await field.fill("soon");
  await page.getByRole("button", { name: say.save }).click();
  await page.getByRole("alert").first().waitFor();
  await checkAccessibility(page);
  await field.fill("90s");
  await page.getByRole("button", { name: say.save }).click();
  const reset = page.getByRole("button", { name: say.reset });
  await reset.waitFor();
  expect(await field.inputValue()).toBe("90s");
  await reset.click();
  await reset.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("2m");
  await checkAccessibility(page);
  expectNoTrouble();
});
