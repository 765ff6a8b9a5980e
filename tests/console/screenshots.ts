import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { startChromium } from "./support/chromium.ts";
import { openPage } from "./support/open-console.ts";
import { type ConsolePage, consolePages } from "./support/pages.ts";
import { type SceneData, startScene } from "./support/scene.ts";

/**
 * Takes pictures of the console's pages into `screenshots/`: light, dark, and on a telephone. All of them, or those that are
 * named: `npm run screenshots -- keys calls [--language zh] [--calls 1000000 --keys 400000] [--window]`. `--window`: what a
 * window shows, instead of the page in its full length.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: "string", default: "en" },
    calls: { type: "string", default: "50000" },
    keys: { type: "string", default: "20000" },
    window: { type: "boolean", default: false },
    into: { type: "string", default: resolve(import.meta.dirname, "../../screenshots") },
  },
});
const language = values.language === "zh" ? "zh" : "en";
const looks = [
  { name: "light", theme: "light", phone: false },
  { name: "dark", theme: "dark", phone: false },
  { name: "phone", theme: "light", phone: true },
] as const;
/** No picture is longer. */
const longest = 2400;

async function take(browser: Browser, scene: SceneData, page: ConsolePage): Promise<void> {
  for (const { name, theme, phone } of looks) {
    const cookies = page.as === "nobody" ? [] : scene.sessions[page.as].cookies;
    const console = await openPage(browser, scene.address, { language, theme, phone, cookies });
    const end = language === "en" ? "" : `-${language}`;
    const path = join(values.into, `${page.name}-${name}${end}.png`);
    try {
      await console.goto(page.path);
      if (!values.window) await stretch(console.page);
      await console.page.screenshot({ path });
      globalThis.console.log(path);
    } catch (error) {
      globalThis.console.error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    } finally {
      await console.close();
    }
  }
}

/** Makes the window as high as the page, so that what stays in place while one scrolls does so in the picture, too. */
async function stretch(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const { width, height: least } = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width, height: Math.min(longest, Math.max(height, least)) });
}

mkdirSync(values.into, { recursive: true });
const scene = await startScene({ calls: Number(values.calls), keys: Number(values.keys) });
const server = await startChromium();
try {
  const browser = await chromium.connect(server.wsEndpoint());
  const pages = await consolePages(scene);
  const unknown = positionals.filter((name) => !pages.some((page) => page.name === name));
  if (unknown.length > 0)
    throw new Error(`There is no page ${unknown.join(", ")}: ${pages.map(({ name }) => name).join(", ")}`);
  for (const page of pages) {
    if (positionals.length === 0 || positionals.includes(page.name)) await take(browser, scene, page);
  }
  await browser.close();
} finally {
  await server.close();
  await scene.close();
}
