import { Argument, Command, CommanderError, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { AccountsError } from "../accounts/accounts-error.ts";
import { SecretError } from "../accounts/secret.ts";
import { CallsError } from "../calls/calls-error.ts";
import { ConfigError } from "../config/config-error.ts";
import { UserError } from "../management/users.ts";
import { StorageError } from "../storage/database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import { redact } from "../telemetry/redact.ts";
import { addAccountsCommands } from "./accounts-program.ts";
import { AuditFailed, AuditFileError } from "./audit-command.ts";
import { addCallsCommands } from "./calls-program.ts";
import { checkConfig } from "./config-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { addKeysCommands } from "./keys-program.ts";
import { addMoneyCommands } from "./money-program.ts";
import { ServeError, serve } from "./serve-command.ts";
import {
  accountRoles,
  createOperator,
  createUser,
  listUsers,
  type PasswordOptions,
  resetPassword,
  roleArguments,
  setUserDisabled,
  setUserRole,
} from "./users-command.ts";

const version = manifest.version;

/**
 * Runs one command line and resolves to the exit code: 0 when it did what was asked, 1 when not. What an operator can
 * put right is told in a line without a stack.
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (isForOperator(error)) context.err(`${error.message}\n`);
    else context.err(`${redact(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    return 1;
  }
}

function createProgram(context: CommandContext): Command {
  const program = new Command("interlingua")
    .description("A gateway for language models: any protocol in, any model out")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err });

  const withConfig = (command: Command) =>
    command.option("--config <file>", "configuration file (default: interlingua.yaml if there is one)");

  withConfig(program.command("serve"))
    .description("start the gateway")
    .action((options: CommonOptions) => serve(options, context, version));

  addKeysCommands(program, context, withConfig);
  addAccountsCommands(program, context, withConfig);
  addCallsCommands(program, context, withConfig);
  addMoneyCommands(program, context, withConfig);
  addUsers(program, withConfig, context);

  const config = program.command("config").description("the configuration");
  withConfig(config.command("check"))
    .description("print the effective configuration without secrets, or everything that is wrong with it")
    .action((options: CommonOptions) => checkConfig(options, context));

  return program;
}

function addUsers(program: Command, withConfig: (command: Command) => Command, context: CommandContext): void {
  const users = program.command("users").description("users of the console: operators, passwords, roles");
  const withPassword = (command: Command) =>
    withConfig(command).option(
      "--password-stdin",
      "read the password from standard input (default: make one, print it)",
    );
  withPassword(users.command("create-operator"))
    .description("make a user who may do everything")
    .requiredOption("--email <address>", "by which the user signs in")
    .option("--name <name>", "as others see it (default: the part before the @)")
    .action((options: CommonOptions & PasswordOptions & { email: string; name?: string }) =>
      createOperator(options, context),
    );
  withPassword(users.command("create"))
    .description("make a user")
    .requiredOption("--email <address>", "by which the user signs in")
    .option("--name <name>", "as others see it (default: the part before the @)")
    .option("--account <id>", "account in which the user has a role")
    .addOption(new Option("--role <role>", "what the user may do there").choices(accountRoles).default("member"))
    .action(
      (
        options: CommonOptions &
          PasswordOptions & { email: string; name?: string; account?: string; role: AccountRole },
      ) => createUser(options, context),
    );
  withConfig(users.command("list"))
    .description("show all users")
    .action((options: CommonOptions) => listUsers(options, context));
  withPassword(users.command("reset-password"))
    .argument("<user>", "id or e-mail address")
    .description("set a new password and end all sessions of the user")
    .action((user: string, options: CommonOptions & PasswordOptions) => resetPassword(user, options, context));
  for (const [name, disabled, what] of [
    ["disable", true, "end all sessions of a user, and let it sign in no more"],
    ["enable", false, "let a disabled user sign in again"],
  ] as const) {
    withConfig(users.command(name))
      .argument("<user>", "id or e-mail address")
      .description(what)
      .action((user: string, options: CommonOptions) => setUserDisabled(user, disabled, options, context));
  }
  withConfig(users.command("set-role"))
    .argument("<user>", "id or e-mail address")
    .argument("<account>", "id of the account")
    .addArgument(new Argument("<role>", "what the user may do there").choices(roleArguments))
    .description("give a user a role in an account, and end its sessions")
    .action((user: string, account: string, role: AccountRole | "none", options: CommonOptions) =>
      setUserRole(user, account, role, options, context),
    );
}

/** Errors whose message is written for the one who runs the command. */
function isForOperator(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof StorageError ||
    error instanceof SecretError ||
    error instanceof AccountsError ||
    error instanceof AuditFailed ||
    error instanceof AuditFileError ||
    error instanceof CallsError ||
    error instanceof UserError ||
    error instanceof ServeError
  );
}
