import { writeFileSync } from "node:fs";
import type { CommandContext, EndCause, ServedGateway } from "../cli/context.ts";
import { runCommandLine } from "../cli/program.ts";
import type { Environment } from "../config/substitute-environment.ts";
import { systemPlatform } from "../platform.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A key as it is printed. */
export const keyForm = /ilk_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/;

/** A directory with a configuration, and the command line run over it. */
export function commandLine(yaml: string, env: Environment = {}, database?: string) {
  const directory = temporaryDirectory();
  const file = directory.file("interlingua.yaml");
  writeFileSync(file, `database: ${database ?? `sqlite:${directory.file("data/a.db")}`}\n${yaml}`);
  const printed = { out: "", err: "" };
  const listeners: ((cause: EndCause) => void)[] = [];
  const closes: (number | undefined)[] = [];
  let gateway: Partial<ServedGateway> & { refuse?: Error } = {};
  const context: CommandContext = {
    env,
    platform: systemPlatform(),
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    async start() {
      if (gateway.refuse) throw gateway.refuse;
      return {
        address: "http://127.0.0.1:8080",
        close: async (options) => {
          closes.push(options?.drainMs);
        },
        ...gateway,
      };
    },
    onEnd: (listener) => listeners.push(listener),
  };
  return {
    directory,
    printed,
    closes,
    serveWith(values: typeof gateway) {
      gateway = values;
    },
    end: (cause: EndCause) => {
      for (const listener of listeners) listener(cause);
    },
    async run(...args: string[]) {
      printed.out = "";
      printed.err = "";
      const code = await runCommandLine([...args, "--config", file], context);
      return { code, ...printed };
    },
    /** Serves until it listens; gives what it printed so far and the exit code to come. */
    async serve() {
      printed.out = "";
      const code = runCommandLine(["serve", "--config", file], context);
      while (!printed.out.includes("listening")) await new Promise((resolve) => setImmediate(resolve));
      return { code, out: printed.out };
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}
