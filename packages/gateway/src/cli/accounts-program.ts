import { type Command, Option } from "commander";
import {
  type AccountOptions,
  createAccount,
  listAccounts,
  setAccount,
  setAccountState,
  showAccount,
} from "./accounts-command.ts";
import { dollarsArgument, markupArgument } from "./arguments.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { withLimits } from "./limit-options.ts";

/** Adds the commands on accounts. `withConfig` adds the option that all commands have. */
export function addAccountsCommands(
  program: Command,
  context: CommandContext,
  withConfig: (command: Command) => Command,
): void {
  const accounts = program
    .command("accounts")
    .description("accounts that pay for calls: create, list, show, set, suspend");
  const onAccount = (name: string) => withConfig(accounts.command(name)).argument("<account>", "id or name");

  withSettings(withConfig(accounts.command("create")))
    .description("make an account, without money")
    .requiredOption("--name <name>", "whose it is")
    .action((options: CommonOptions & AccountOptions & { name: string }) => createAccount(options, context));
  withConfig(accounts.command("list"))
    .description("show all accounts and their balances")
    .action((options: CommonOptions) => listAccounts(options, context));
  onAccount("show")
    .description("show all that is set of an account, and its balance")
    .action((account: string, options: CommonOptions) => showAccount(account, options, context));
  withSettings(onAccount("set"))
    .description("change an account; a running gateway follows within a second")
    .option("--name <name>", "whose it is")
    .action((account: string, options: CommonOptions & AccountOptions & { name?: string }) =>
      setAccount(account, options, context),
    );
  onAccount("suspend")
    .description("refuse all access keys of an account from now on")
    .action((account: string, options: CommonOptions) => setAccountState(account, "suspended", options, context));
  onAccount("activate")
    .description("accept the access keys of a suspended account again")
    .action((account: string, options: CommonOptions) => setAccountState(account, "active", options, context));
}

function withSettings(command: Command): Command {
  return withLimits(command)
    .addOption(new Option("--billing <way>", "whether it pays before or after").choices(["prepaid", "postpaid"]))
    .option(
      "--credit-limit <dollars>",
      'how far below zero a postpaid balance may go, or "none" for no bound',
      dollarsArgument,
    )
    .option("--markup <percent>", "on top of the list price, such as 10% or -2.5%", markupArgument);
}
