import type { TestProject } from "vitest/node";
import { startChromium } from "./chromium.ts";
import { type SceneData, startScene } from "./scene.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The gateway that all tests of the console share. */
    scene: SceneData;
    /** Where they reach the browser. */
    browser: string;
  }
}

/**
 * Enough for several pages of every list. `INTERLINGUA_CONSOLE_CALLS` and `INTERLINGUA_CONSOLE_KEYS` make a past of another
 * size: CI takes 1,000,000 calls and 400,000 keys, over which `npm run bench:console` measures how long the pages take.
 */
const size = {
  calls: Number(process.env.INTERLINGUA_CONSOLE_CALLS ?? 50_000),
  keys: Number(process.env.INTERLINGUA_CONSOLE_KEYS ?? 20_000),
};

/** One gateway and one browser for a whole run; only where tests of the console are part of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scene = await startScene(size);
  const { close, ...data } = scene;
  const browser = await startChromium();
  project.provide("scene", data);
  project.provide("browser", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await close();
  };
}
