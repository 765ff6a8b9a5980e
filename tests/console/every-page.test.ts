import { describe, expect, inject, test } from "vitest";
import { checkAccessibility } from "./support/accessibility.ts";
import { untranslated } from "./support/catalogues.ts";
import { eachLook } from "./support/each-look.ts";
import { type OpenOptions, openConsole, useBrowser } from "./support/open-console.ts";
import { type ConsolePage, consolePages } from "./support/pages.ts";
import { visibleTexts } from "./support/visible-texts.ts";

/* What holds for every page of the console, whatever it shows. */

useBrowser();

const pages = await consolePages(inject("scene"));

async function open({ path, as }: ConsolePage, look: Omit<OpenOptions, "as">) {
  const console = await openConsole({ as, ...look, shared: true });
  // Public pages ask who is there, and learn that it is nobody; the setup is over.
  if (path === "/setup") console.expectTrouble("404");
  await console.goto(path);
  return console;
}

describe.each(pages)("$name", (shown) => {
  eachLook("S6 shows its heading, without a complaint of the browser, accessible, and translated", async (look) => {
    const console = await open(shown, look);
    const { page } = console;
    expect(await page.locator("h1").allInnerTexts(), "one heading of the first level").toEqual([
      expect.stringMatching(/\S/),
    ]);
    await checkAccessibility(page);
    if (look.language === "zh") {
      const { english, keys } = await untranslated();
      const texts = await visibleTexts(page);
      const left = texts.flatMap((text) => {
        const place = english.get(text);
        if (place !== undefined) return [`${text} (${place})`];
        return keys.has(text) ? [`${text} (a key)`] : [];
      });
      expect(left, "texts that are not in Chinese").toEqual([]);
    }
    console.expectNoTrouble();
  });

  test("fits a telephone", async () => {
    const console = await open(shown, { phone: true });
    const { page } = console;
    const { width, wide } = await page.evaluate(() => {
      const root = document.documentElement;
      const inside = (element: Element): boolean => {
        for (let at = element.parentElement; at; at = at.parentElement) {
          if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(at).overflowX)) return true;
        }
        return false;
      };
      const wide = [...document.body.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1 && !inside(element))
        .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
      return { width: root.scrollWidth, wide: wide.slice(0, 5) };
    });
    expect(width, `wider than the screen: ${wide.join(", ")}`).toBeLessThanOrEqual(390);
    await checkAccessibility(page);
    console.expectNoTrouble();
  });
});
