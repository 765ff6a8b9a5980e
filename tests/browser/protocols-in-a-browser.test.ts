import chromium from "@sparticuz/chromium";
import { build } from "esbuild";
import { type Browser, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { convertOnce } from "./convert-once.ts";

/** The conversion is pure: the same code, bundled for a browser without any polyfill, gives the same bytes there. */
let browser: Browser;

beforeAll(async () => {
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args,
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    headless: true,
  });
}, 120_000);

afterAll(async () => {
  await browser?.close();
});

test("a bundle for the browser converts as Node does", async () => {
  const bundle = await build({
    entryPoints: [`${import.meta.dirname}/convert-once.ts`],
    bundle: true,
    format: "iife",
    globalName: "interlingua",
    // Neutral: neither Node's modules nor a browser field may be needed.
    platform: "neutral",
    mainFields: [],
    write: false,
  });
  const page = await browser.newPage();
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? "" });
  const inBrowser = await page.evaluate("interlingua.convertOnce()");
  expect(inBrowser).toEqual(convertOnce());
  expect(JSON.stringify(inBrowser)).toContain("event: message_stop");
});
