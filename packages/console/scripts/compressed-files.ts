import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin, ResolvedConfig } from "vite";
import { sourceDigest, writeStamp } from "./build-stamp.ts";

const texts = new Set([".css", ".js", ".json", ".svg", ".txt"]);
/** Below it the head of an answer weighs more than what is saved. */
const leastBytes = 1024;

/** Lays beside each text of the build what brotli and gzip make of it, so that the gateway compresses nothing; then the stamp. */
export function compressedFiles(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "compressed-files",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle() {
      const directory = resolve(config.root, config.build.outDir);
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        const name = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !texts.has(extname(name))) continue;
        const bytes = readFileSync(name);
        if (bytes.length < leastBytes) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${name}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${name}.gz`, gzipSync(bytes, { level: 9 }));
      }
      writeStamp(directory, sourceDigest());
    },
  };
}
