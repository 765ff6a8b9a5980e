import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

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
 * Reads the settings from a page: the block of `sh`, and each block that names a file after its language.
 * A page without a block of shell, or one that names no address and no key, is an error.
 */
export function readSettings(page: string, values: SettingValues): Settings {
  const text = readFileSync(join(pages, `${page}.md`), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, path, code]) => ({
    language,
    path,
    code: fill(code ?? "", values),
  }));
  const shell = blocks.find(({ language, path }) => language === "sh" && path === undefined);
  if (!shell) throw new Error(`docs/clients/${page}.md has no block of shell.`);
  const all = blocks.map(({ code }) => code).join("");
  for (const value of Object.values(values)) {
    if (!all.includes(value)) throw new Error(`The settings of docs/clients/${page}.md have no place for ${value}.`);
  }
  return {
    shell: shell.code
      .split("\n")
      .filter((line) => /^(export|unset) /.test(line))
      .join("\n"),
    files: blocks.flatMap(({ path, code }) => (path === undefined ? [] : [{ path, text: code }])),
  };
}

function fill(code: string, { address, key, model }: SettingValues): string {
  return code
    .replaceAll("http://127.0.0.1:8080", address)
    .replaceAll("YOUR_ACCESS_KEY", key)
    .replaceAll("YOUR_MODEL", model);
}

/** Writes the files of the settings. */
export function writeSettings(settings: Settings, home: string, directory: string): void {
  for (const { path, text } of settings.files) {
    const file = path.startsWith("~/") ? join(home, path.slice(2)) : join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
