import { expect, test } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { openConsole, useBrowser } from "./support/open-console.ts";

/* That the other tests of the console would see what goes wrong. */

useBrowser();

test("S6 a script that stands in the page itself does not run, and is told as trouble", async () => {
  const console = await openConsole({ as: "viewer" });
  await console.goto("/profile");
  console.expectNoTrouble();
  const reported = console.page.waitForRequest("**/api/csp-reports");
  await console.page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
  });
  await reported;
  expect(await console.page.evaluate(() => "ran" in window)).toBe(false);
  expect(console.expectNoTrouble).toThrow(/content security policy: script-src/);
});

test("messages of the console, uncaught errors and failed requests are trouble, unless they are expected", async () => {
  const console = await openConsole({ as: "viewer" });
  await console.goto("/profile");
  await console.page.evaluate(async () => {
    globalThis.console.warn("a warning of the page");
    setTimeout(() => {
      throw new Error("an error of the page");
    });
    await fetch("/api/v1/nothing-here");
  });
  await expect.poll(() => describe(console.expectNoTrouble)).toMatch(/an error of the page/);
  expect(console.expectNoTrouble).toThrow(/a warning of the page/);
  expect(console.expectNoTrouble).toThrow(/answer 404: GET .*nothing-here/);
  console.expectTrouble("a warning of the page", "an error of the page", "404");
  console.expectNoTrouble();
});

test("what readers of a page cannot make out is told with its place", async () => {
  const console = await openConsole({ as: "viewer" });
  await console.goto("/profile");
  await checkAccessibility(console.page);
  await console.page.evaluate(() => {
    const button = document.createElement("button");
    button.id = "nameless";
    document.querySelector("main")?.append(button);
  });
  await expect(checkAccessibility(console.page)).rejects.toThrow(/button-name[\s\S]*#nameless/);
});

function describe(check: () => void): string {
  try {
    check();
    return "";
  } catch (error) {
    return String(error);
  }
}
