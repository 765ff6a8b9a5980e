import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A home and a working directory of an agent's own. */
export interface Place {
  home: string;
  directory: string;
}

/** Makes both, with the installed packages above them, and takes them away once the work is done. */
export async function inPlace<Result>(modules: string, work: (place: Place) => Promise<Result>): Promise<Result> {
  const root = mkdtempSync(join(tmpdir(), "interlingua-agent-"));
  try {
    const place = { home: join(root, "home"), directory: join(root, "work") };
    mkdirSync(place.home);
    mkdirSync(place.directory);
    symlinkSync(modules, join(root, "node_modules"));
    return await work(place);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes a file; `~/` is the home directory, anything else stands in the working directory. */
export function writeInPlace({ home, directory }: Place, path: string, text: string): void {
  const file = fileIn({ home, directory }, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Adds top-level fields to a file of JSON, which may be there already. */
export function addToJson(place: Place, path: string, fields: object): void {
  const file = fileIn(place, path);
  const before: object = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  writeInPlace(place, path, JSON.stringify({ ...before, ...fields }, undefined, 2));
}

function fileIn({ home, directory }: Place, path: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : join(directory, path);
}
