import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { apiDocument } from "../management/api-document.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { startTestConsole } from "./test-console.ts";

const generator = new URL("../../../console/node_modules/openapi-typescript/bin/cli.js", import.meta.url);

/** The management API as TypeScript types for the console, made of the route table of a gateway with all of its parts. */
export async function apiTypes(): Promise<string> {
  using directory = temporaryDirectory();
  const config = { kind: "sqlite", path: directory.file("api.db") } as const;
  await using place = await startTestConsole({ config, [Symbol.dispose]: () => undefined });
  const document = await apiDocument(place.routes);
  const [from, to] = [directory.file("openapi.json"), directory.file("schema.d.ts")];
  writeFileSync(from, JSON.stringify(document));
  execFileSync(process.execPath, [generator.pathname, from, "-o", to, "--alphabetize", "--root-types"], {
    stdio: "pipe",
  });
  return readFileSync(to, "utf8");
}
