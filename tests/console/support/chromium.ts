import chromium from "@sparticuz/chromium";
import { type BrowserServer, chromium as playwright } from "playwright-core";

/** Starts the Chromium that comes by npm, with everything on that protects its pages; others connect to it. */
export async function startChromium(): Promise<BrowserServer> {
  return playwright.launchServer({
    executablePath: await chromium.executablePath(),
    headless: true,
    host: "127.0.0.1",
    args: [
      // Whoever runs tests as root has no other choice; only our own pages are opened.
      "--no-sandbox",
      "--disable-gpu",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--font-render-hinting=none",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
