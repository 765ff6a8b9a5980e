import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import type { Person } from "../../../bench/installation/people.ts";
import { watchTrouble } from "./trouble.ts";

export type Language = "en" | "zh";
export type Theme = "light" | "dark";

export interface OpenOptions {
  /** Who is signed in; `nobody`: no one. */
  as: Person | "nobody";
  language?: Language;
  theme?: Theme;
  /** A telephone's screen of 390 by 844 points, with touch. */
  phone?: boolean;
  /** Cookies and storage are those of all who ask so, with this person and look; the browser loads nothing twice. */
  shared?: boolean;
}

/** A page of the console in a browser of its own, as far as cookies and storage go. */
export interface OpenConsole {
  page: Page;
  /** Opens an address of the console and waits until its heading stands there and nothing is being loaded. */
  goto(path: string): Promise<void>;
  /** Takes that much trouble as expected: messages that hold one of these texts. */
  expectTrouble(...texts: string[]): void;
  /** Fails where the browser complained of anything: errors, warnings, failed requests, the content security policy. */
  expectNoTrouble(): void;
  close(): Promise<void>;
}

let browser: Browser | undefined;
const open = new Set<OpenConsole>();
const sharedContexts = new Map<string, Promise<BrowserContext>>();

/** To be called once at the top of a test file: connects to the browser, and closes what a test has left open. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject("browser"));
  });
  afterEach(async () => {
    await Promise.all([...open].map((console) => console.close()));
  });
  afterAll(async () => {
    sharedContexts.clear();
    await browser?.close();
  });
}

/** Opens a page of the shared gateway's console. */
export async function openConsole(options: OpenOptions): Promise<OpenConsole> {
  if (!browser) throw new Error("Call useBrowser() at the top of the file");
  const { address, sessions } = inject("scene");
  const { as, shared = false } = options;
  const wanted = { ...options, cookies: as === "nobody" ? [] : sessions[as].cookies };
  const opened = shared
    ? await pageIn(await sharedContext(browser, address, wanted))
    : await openPage(browser, address, wanted);
  const console: OpenConsole = {
    ...opened,
    async close() {
      open.delete(console);
      await opened.close();
    },
  };
  open.add(console);
  return console;
}

function sharedContext(browser: Browser, address: string, options: OpenOptions & PageOptions): Promise<BrowserContext> {
  const { as, language, theme, phone } = options;
  const name = JSON.stringify([as, language, theme, phone]);
  const context = sharedContexts.get(name) ?? newContext(browser, address, options);
  sharedContexts.set(name, context);
  return context;
}

interface PageOptions extends Pick<OpenOptions, "language" | "theme" | "phone"> {
  cookies: readonly { name: string; value: string }[];
}

/** The same over any browser and gateway. */
export async function openPage(browser: Browser, address: string, options: PageOptions): Promise<OpenConsole> {
  const context = await newContext(browser, address, options);
  const opened = await pageIn(context);
  return {
    ...opened,
    async close() {
      await opened.close();
      await context.close();
    },
  };
}

/** Pages tell of today, which is to hold some hours already: a zone in which no day begins while tests run. */
function zoneOfTests(now: Date): string {
  const hour = now.getUTCHours();
  return hour >= 2 && hour < 21 ? "Europe/Berlin" : "America/New_York";
}

async function newContext(browser: Browser, address: string, options: PageOptions): Promise<BrowserContext> {
  const { language = "en", theme = "light", phone = false, cookies } = options;
  const context = await browser.newContext({
    baseURL: address,
    locale: language === "zh" ? "zh-CN" : "en-GB",
    timezoneId: zoneOfTests(new Date()),
    colorScheme: theme,
    // What moves is never in the same place twice.
    reducedMotion: "reduce",
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    hasTouch: phone,
    isMobile: phone,
  });
  context.setDefaultTimeout(20_000);
  await context.addCookies(
    cookies.map((cookie) => ({ ...cookie, url: address, httpOnly: true, sameSite: "Strict" as const })),
  );
  await context.addInitScript(`localStorage.setItem("interlingua.language", ${JSON.stringify(language)})`);
  return context;
}

async function pageIn(context: BrowserContext): Promise<OpenConsole> {
  const page = await context.newPage();
  const trouble = await watchTrouble(page);
  return {
    page,
    goto: (path) => settled(page, path),
    expectTrouble: trouble.expect,
    expectNoTrouble: trouble.check,
    async close() {
      trouble.stop();
      await page.close();
    },
  };
}

/** Loaded: the page has its heading, and no place in it is still waiting for something. */
async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null);
}
