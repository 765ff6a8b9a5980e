import { type Command, Option } from "commander";
import { dollarsArgument, endArgument, listArgument, spanArgument } from "./arguments.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import {
  createKey,
  type KeyOptions,
  listKeys,
  revokeKey,
  rotateKey,
  setKey,
  setKeyLimits,
  setKeyState,
  showKey,
} from "./keys-command.ts";
import { type LimitOptions, withLimits } from "./limit-options.ts";

/** Adds the commands on access keys. `withConfig` adds the option that all commands have. */
export function addKeysCommands(
  program: Command,
  context: CommandContext,
  withConfig: (command: Command) => Command,
): void {
  const keys = program
    .command("keys")
    .description("access keys: create, list, show, set, limit, disable, revoke, rotate");
  const onKey = (name: string) => withConfig(keys.command(name)).argument("<key>", "id or name");

  withSettings(withConfig(keys.command("create")))
    .description("make an access key and print it, once")
    .option("--name <name>", "what the key is for", "unnamed")
    .option("--account <account>", "id or name of the account that pays (default: the default account)")
    .action((options: CommonOptions & KeyOptions & { name: string; account?: string }) => createKey(options, context));
  withConfig(keys.command("list"))
    .description("show all access keys, without the keys themselves")
    .option("--account <account>", "only those of this account")
    .action((options: CommonOptions & { account?: string }) => listKeys(options, context));
  onKey("show")
    .description("show all that is set of an access key")
    .action((key: string, options: CommonOptions) => showKey(key, options, context));
  withSettings(onKey("set"))
    .description("change an access key; a running gateway follows within a second")
    .option("--name <name>", "what the key is for")
    .action((key: string, options: CommonOptions & KeyOptions & { name?: string }) => setKey(key, options, context));
  withLimits(onKey("limit"))
    .description("change what an access key may use; a running gateway follows within a second")
    .action((key: string, options: CommonOptions & LimitOptions) => setKeyLimits(key, options, context));
  withTermination(onKey("disable"))
    .description("refuse an access key from now on; a running gateway does so within a second")
    .action((key: string, options: CommonOptions & { terminate?: boolean }) =>
      setKeyState(key, "disabled", options, context),
    );
  onKey("enable")
    .description("accept a disabled access key again")
    .action((key: string, options: CommonOptions) => setKeyState(key, "enabled", options, context));
  withTermination(onKey("revoke"))
    .description("refuse an access key and all its former secrets for ever")
    .action((key: string, options: CommonOptions & { terminate?: boolean }) => revokeKey(key, options, context));
  onKey("rotate")
    .description("give an access key a new secret and print it, once")
    .option("--grace <time>", "how long the former secret stays good; 0 ends all former ones", spanArgument, 86_400_000)
    .action((key: string, options: CommonOptions & { grace: number }) => rotateKey(key, options, context));
}

function withSettings(command: Command): Command {
  return withLimits(command)
    .option(
      "--expires <end>",
      'a date such as 2026-12-31 (to its end in UTC), a time from now such as 30d, or "never"',
      endArgument,
    )
    .option("--models <list>", 'names or patterns with *, parted by commas, "all" or "none"', listArgument)
    .option(
      "--addresses <list>",
      'addresses or ranges such as 10.0.0.0/8, parted by commas, "all" or "none"',
      listArgument,
    )
    .option("--quota <dollars>", 'what it may spend in a period, such as 25.00, or "none"', dollarsArgument)
    .addOption(new Option("--quota-period <period>", "of UTC").choices(["total", "day", "week", "month"]))
    .addOption(new Option("--lossy <verdict>", "lossy conversions").choices(["allow", "refuse"]))
    .addOption(new Option("--content-logging <switch>", "keep prompts and answers").choices(["on", "off"]));
}

function withTermination(command: Command): Command {
  return command.option("--terminate", "end its running calls, too");
}
