import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";
import { temporaryDirectory } from "../../../packages/gateway/src/testing/temporary-directory.ts";
import { startTestConsole, type TestConsole } from "../../../packages/gateway/src/testing/test-console.ts";
import { builtConsole } from "./built-console.ts";
import { type OpenConsole, openPage } from "./open-console.ts";

/** A console of a test's own, for what must not happen to users that other tests are: over an empty installation. */
export interface OwnConsole extends AsyncDisposable {
  place: TestConsole;
  /** Under a name, which passkeys need. */
  address: string;
  open(options?: Omit<Parameters<typeof openPage>[2], "cookies">): Promise<OpenConsole>;
}

export async function startOwnConsole(): Promise<OwnConsole> {
  const directory = temporaryDirectory();
  const config = { kind: "sqlite", path: directory.file("console.db") } as const;
  const made = { config, [Symbol.dispose]: () => directory[Symbol.dispose]() };
  const place = await startTestConsole(made, { consoleDirectory: builtConsole });
  const browser: Browser = await chromium.connect(inject("browser"));
  const address = place.address.replace("127.0.0.1", "localhost");
  const opened: OpenConsole[] = [];
  return {
    place,
    address,
    async open(options = {}) {
      const console = await openPage(browser, address, { ...options, cookies: [] });
      opened.push(console);
      return console;
    },
    async [Symbol.asyncDispose]() {
      for (const console of opened) await console.close();
      await browser.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
