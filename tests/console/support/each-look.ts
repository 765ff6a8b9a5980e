import { test } from "vitest";
import type { Language, Theme } from "./open-console.ts";

/** A language and a theme; both languages and both themes come about in two looks. */
export interface Look {
  language: Language;
  theme: Theme;
}

export const looks: readonly Look[] = [
  { language: "en", theme: "light" },
  { language: "zh", theme: "dark" },
];

/** Runs a test in English on light, and in Chinese on dark. */
export function eachLook(name: string, run: (look: Look) => Promise<void>): void {
  for (const look of looks) test(`${name} (${look.language}, ${look.theme})`, () => run(look));
}
