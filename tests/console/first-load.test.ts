import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtConsole } from "./support/built-console.ts";

/* What a browser loads before it shows the first page; the console was built for this run. */

/** Addresses of all files that the page loads before it runs: its scripts, what these import at once, and styles. */
function firstLoad(): string[] {
  const page = readFileSync(join(builtConsole, "index.html"), "utf8");
  const found = new Set<string>();
  const follow = (address: string) => {
    if (found.has(address)) return;
    found.add(address);
    if (!address.endsWith(".js")) return;
    const code = readFileSync(join(builtConsole, address), "utf8");
    // `import{a}from"./b.js"` and `import"./b.js"`, not `import("./b.js")`.
    for (const [, name = ""] of code.matchAll(/(?:^|[;\n}])(?:import|export)\b[^;"'()]*["']\.\/([^"']+\.js)["']/g)) {
      follow(`/assets/${name}`);
    }
  };
  for (const [, address = ""] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)) follow(address);
  return [...found];
}

const gzipped = (address: string) => gzipSync(readFileSync(join(builtConsole, address))).length;

test("the first load is smaller than 300 KB gzipped", () => {
  const files = firstLoad().map((address) => ({ address, bytes: gzipped(address) }));
  const bytes = files.reduce((sum, file) => sum + file.bytes, gzipped("index.html"));
  const told = files.map((file) => `${file.address}: ${file.bytes}`).join("\n");
  expect(files.length, "the page names its scripts").toBeGreaterThan(1);
  expect(bytes, told).toBeLessThan(300_000);
});

test("pages and charts are chunks of their own, which the first load does not hold", () => {
  const first = new Set(firstLoad());
  const all = readdirSync(join(builtConsole, "assets")).map((name) => `/assets/${name}`);
  const later = all.filter((address) => address.endsWith(".js") && !first.has(address));
  // More than twenty pages are there.
  expect(later.length).toBeGreaterThan(20);
  const holdsCharts = (address: string) => readFileSync(join(builtConsole, address), "utf8").includes("recharts-");
  expect([...first].filter(holdsCharts)).toEqual([]);
});
