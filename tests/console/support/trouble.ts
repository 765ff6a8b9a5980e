import type { Page } from "playwright-core";

/** What a browser complains of while a page is open. */
export interface TroubleLog {
  /** Messages that hold one of these texts are wanted. */
  expect(...texts: string[]): void;
  /** Throws with all messages that nobody wanted. */
  check(): void;
  /** What is torn down complains of it. */
  stop(): void;
}

/** Listens to everything that goes wrong in a page, from its first script on. */
export async function watchTrouble(page: Page): Promise<TroubleLog> {
  const messages: string[] = [];
  const wanted: string[] = [];
  let stopped = false;
  const note = (message: string) => {
    if (!stopped) messages.push(message);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      note(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`uncaught: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // A page that is left gives up what it was loading.
    if (why !== "net::ERR_ABORTED") note(`failed request: ${request.method()} ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) note(`answer ${response.status()}: ${response.request().method()} ${response.url()}`);
    if (response.url().endsWith("/api/csp-reports")) note(`a report of the content security policy was sent`);
  });
  await page.exposeFunction("noteViolation", (text: string) => note(`content security policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { noteViolation } = window as unknown as { noteViolation(text: string): void };
      noteViolation(
        `${event.effectiveDirective} kept out ${event.blockedURI} (${event.sourceFile}:${event.lineNumber})`,
      );
    });
  });
  return {
    expect: (...texts) => void wanted.push(...texts),
    check() {
      const unwanted = messages.filter((message) => !wanted.some((text) => message.includes(text)));
      if (unwanted.length > 0) throw new Error(`The browser complained at ${page.url()}:\n${unwanted.join("\n")}`);
    },
    stop() {
      stopped = true;
    },
  };
}
