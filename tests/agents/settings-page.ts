import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Place, writeInPlace } from "./place.ts";

/** What a page of docs/clients tells to set, with the values of one run in the place of its examples. */
export interface Settings {
  /** Lines of shell: `export` and `unset`, without the command that ends the block. */
  shell: string;
  /** Where they belong; `~/` is the home directory, anything else stands in the working directory. */
  files: readonly { path: string; text: string }[];
}

/** What the examples of the pages are replaced by. */
export interface SettingValues {
  /** Base address of the gateway, without a slash at the end. */
  address: string;
  key: string;
  model: string;
}

const pages = resolve(import.meta.dirname, "../../docs/clients");

/**
 * Reads the settings from a page: the block of `sh`, and each block that names a file after its language. A file that
 * is marked with `instead` takes the place of the block of `sh` where the way is by files.
 * A page without a block of shell, or a way that names no address, no key or no model, is an error.
 */
export function readSettings(page: string, values: SettingValues, way: "shell" | "files"): Settings {
  const blocks = readBlocks(page, values);
  const shell = blocks.find(({ language, path }) => language === "sh" && path === undefined);
  if (!shell) throw new Error(`docs/clients/${page}.md has no block of shell.`);
  const byFiles = way === "files" && blocks.some(({ instead }) => instead);
  const files = blocks.filter(({ path, instead }) => path !== undefined && (byFiles || !instead));
  const used = [...(byFiles ? [] : [shell]), ...files].map(({ code }) => code).join("");
  for (const value of Object.values(values)) {
    if (!used.includes(value)) throw new Error(`The settings of docs/clients/${page}.md have no place for ${value}.`);
  }
  const lines = byFiles ? [] : shell.code.split("\n").filter((line) => /^(export|unset) /.test(line));
  return {
    shell: lines.join("\n"),
    files: files.flatMap(({ path, code }) => (path === undefined ? [] : [{ path, text: code }])),
  };
}

/** A block of code of a page, with the values of one run in it. */
export interface PageBlock {
  language: string;
  /** The file that it is the text of. */
  path: string | undefined;
  instead: boolean;
  code: string;
}

/** The blocks of a page of docs/clients, in order. */
export function readBlocks(page: string, values: SettingValues): PageBlock[] {
  const text = readFileSync(join(pages, `${page}.md`), "utf8");
  const found = text.matchAll(/^```(\w+)(?: (\S+))?( instead)?\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", path, instead, code = ""]) => ({
    language,
    path,
    instead: instead !== undefined,
    code: fill(code, values),
  }));
}

function fill(code: string, { address, key, model }: SettingValues): string {
  return code
    .replaceAll("http://127.0.0.1:8080", address)
    .replaceAll("YOUR_ACCESS_KEY", key)
    .replaceAll("YOUR_MODEL", model);
}

/** Writes the files of the settings. */
export function writeSettings(settings: Settings, place: Place): void {
  for (const { path, text } of settings.files) writeInPlace(place, path, text);
}
