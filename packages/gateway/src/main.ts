#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Before anything else is loaded: later starts take the compiled modules from disk.
enableCompileCache();

const [{ runCommandLine }, { systemPlatform }] = await Promise.all([
  import("./cli/program.ts"),
  import("./platform.ts"),
]);

process.exit(
  await runCommandLine(process.argv.slice(2), {
    env: process.env,
    platform: systemPlatform(),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    async input() {
      let text = "";
      for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
      return text;
    },
    start: async (options) => (await import("./app.ts")).startGateway(options),
    onEnd(listener) {
      for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => listener({ type: "signal", signal }));
      process.on("uncaughtException", (error) => listener({ type: "crash", error }));
      process.on("unhandledRejection", (error) => listener({ type: "crash", error }));
    },
  }),
);
