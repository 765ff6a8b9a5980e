import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the console's build puts it. */
export const builtConsole = fileURLToPath(new URL("../../../console/dist", import.meta.url));

/** The ways in which a file may go out, the smallest first. */
const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

export interface ConsoleFile {
  type: string;
  bytes: Uint8Array;
  /** What the build made of it for those who take that. */
  encoded: ReadonlyMap<"br" | "gzip", Uint8Array>;
}

/** The built console in memory: a request touches no disk. */
export interface ConsoleFiles {
  /** The page, with `__CSP_NONCE__` where the nonce goes. */
  page: string;
  /** All other files by their address, `/assets/…`. */
  files: ReadonlyMap<string, ConsoleFile>;
}

/** Reads the built console; undefined where there is none. */
export function readConsoleFiles(directory: string): ConsoleFiles | undefined {
  const index = join(directory, "index.html");
  if (!existsSync(index)) return undefined;
  const files = new Map<string, ConsoleFile>();
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(names);
  for (const name of names) {
    const type = types[extname(name)];
    // What no browser is to have: stamps, maps, and the encoded ones by themselves.
    if (type === undefined || name === index) continue;
    const encoded = encodings
      .filter(({ ending }) => known.has(name + ending))
      .map((encoding) => [encoding.name, readFileSync(name + encoding.ending)] as const);
    const address = name.slice(directory.length).replaceAll("\\", "/");
    files.set(address, { type, bytes: readFileSync(name), encoded: new Map(encoded) });
  }
  return { page: readFileSync(index, "utf8"), files };
}

/** The file in the smallest form that an `accept-encoding` header takes; without one as it is. */
export function chooseEncoding(
  file: ConsoleFile,
  accepted: string | undefined,
): { encoding: "br" | "gzip" | undefined; bytes: Uint8Array } {
  for (const { name } of encodings) {
    const bytes = file.encoded.get(name);
    if (bytes && accepts(accepted, name)) return { encoding: name, bytes };
  }
  return { encoding: undefined, bytes: file.bytes };
}

function accepts(header: string | undefined, name: string): boolean {
  return (header ?? "").split(",").some((part) => {
    const [coding, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    return coding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
