import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { protocolNames } from "@interlingua/protocols";
import { describe, expect, test } from "vitest";

/** Who adds a protocol goes by the list of ARCHITECTURE.md alone: it must name what there is, and all of it. */
const root = resolve(import.meta.dirname, "..");
const [, list = ""] =
  /## Adding a fifth protocol\n([\s\S]*?)\n## /.exec(readFileSync(join(root, "ARCHITECTURE.md"), "utf8")) ?? [];
const named = [...list.matchAll(/`((?:packages|tests)\/[^`]+)`/g)].map(([, path = ""]) => path);

describe("the list for a fifth protocol", () => {
  test("is numbered without a gap", () => {
    const numbers = [...list.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(4);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test.each(named)("names %s, which is there", (path) => {
    for (const protocol of protocolNames) {
      expect(existsSync(join(root, path.replace("<name>", protocol))), path.replace("<name>", protocol)).toBe(true);
    }
  });

  test("misses no file that knows the protocols by name", () => {
    const places = named.flatMap((path) => protocolNames.map((protocol) => path.replace("<name>", protocol)));
    const missing = sources()
      .filter((file) => knowsAll(readFileSync(join(root, file), "utf8")))
      .filter((file) => !places.some((place) => (place.endsWith("/") ? file.startsWith(place) : file === place)));
    expect(missing).toEqual([]);
  });
});

/** The product's own files: neither tests nor what is generated. */
function sources(): string[] {
  return ["protocols", "gateway", "upstream-sim", "console"].flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file) && !/(^|\/)(testing|peer-bugs|traps|fuzz)\//.test(file))
      .map((file) => `packages/${name}/src/${file}`),
  );
}

/** All but one: some tables have a default. */
function knowsAll(text: string): boolean {
  const known = protocolNames.filter((name) => text.includes(`"${name}"`) || text.includes(`${name}: `));
  return known.length >= protocolNames.length - 1;
}
