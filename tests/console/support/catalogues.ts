import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** What nobody may read on a page in Chinese. */
export interface Untranslated {
  /** English texts that stand otherwise in Chinese, with the catalogue that they are from. */
  english: ReadonlyMap<string, string>;
  /** Keys that no text would be. */
  keys: ReadonlySet<string>;
}

const source = resolve(import.meta.dirname, "../../../packages/console/src");

export async function untranslated(): Promise<Untranslated> {
  const english = await textsOf(".en.ts");
  const chinese = await textsOf(".zh.ts");
  const translated = new Set(chinese.map(({ text }) => text));
  const texts = new Map<string, string>();
  const keys = new Set<string>();
  for (const { file, key, text } of english) {
    // Names such as "Messages" or "API" are the same in both: they stand in the Chinese texts, too. One small word may be one
    // of a protocol's own.
    if (!translated.has(text) && !text.includes("{{") && !/^[a-z]+$/.test(text))
      texts.set(text.replace(/\s+/g, " ").trim(), `${file}: ${key}`);
    if (/^[a-z]+[A-Z][A-Za-z]*$/.test(key)) keys.add(key);
  }
  return { english: texts, keys };
}

async function textsOf(ending: string): Promise<{ file: string; key: string; text: string }[]> {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
  const found = await Promise.all(
    files.map(async (file) => {
      const exported: object = await import(join(source, file));
      return Object.values(exported).flatMap((catalogue: unknown) =>
        typeof catalogue === "object" && catalogue !== null
          ? Object.entries(catalogue).flatMap(([key, text]) => (typeof text === "string" ? [{ file, key, text }] : []))
          : [],
      );
    }),
  );
  return found.flat();
}
