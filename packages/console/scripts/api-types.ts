import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayDocument } from "../../gateway/src/testing/gateway-document.ts";

const generator = new URL("../node_modules/openapi-typescript/bin/cli.js", import.meta.url);

/** The management API as TypeScript types for the console. */
export async function apiTypes(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-types-"));
  try {
    const [from, to] = [join(directory, "openapi.json"), join(directory, "schema.d.ts")];
    writeFileSync(from, JSON.stringify(await gatewayDocument()));
    // With a TypeScript of its own, since it does not know the one of this repository.
    const options = ["--alphabetize", "--root-types"];
    execFileSync(process.execPath, [generator.pathname, from, "-o", to, ...options], { stdio: "pipe" });
    return readFileSync(to, "utf8");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
