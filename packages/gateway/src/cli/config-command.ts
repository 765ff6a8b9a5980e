import { loadConfig } from "../config/load-config.ts";
import { showConfig } from "../config/show-config.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** Prints the effective configuration with secrets masked. Throws a ConfigError with all that is wrong. */
export async function checkConfig(options: CommonOptions, context: CommandContext): Promise<void> {
  context.out(showConfig(await loadConfig({ ...fileOption(options), env: context.env })));
}

/** The `--config` option as `loadConfig` takes it. */
export function fileOption(options: CommonOptions): { file?: string } {
  return options.config === undefined ? {} : { file: options.config };
}
