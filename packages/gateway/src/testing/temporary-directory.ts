import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of its own for one test, gone when the test's scope is left (`using`). */
export function temporaryDirectory(): { path: string; file(name: string): string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "interlingua-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
