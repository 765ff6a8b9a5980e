import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { createPasswords } from "../management/passwords.ts";
import { createSetup, type Setup } from "../management/setup.ts";
import { createUsers, UserError, type UserInfo, type Users } from "../management/users.ts";
import type { Platform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import type { AccountRole } from "../storage/users-schema.ts";
import { commandActor } from "./command-actor.ts";
import { fileOption } from "./config-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { dateText, table } from "./table.ts";

/** Opens the configured database for a task on its users, and closes it whatever comes of the task. */
export async function withUsers<Result>(
  config: Pick<Config, "database">,
  platform: Platform,
  task: (parts: { users: Users; setup: Setup }) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(config.database);
  try {
    const users = createUsers({ database, platform, passwords: createPasswords(platform) });
    return await task({ users, setup: createSetup({ database, platform, users }) });
  } finally {
    await database.close();
  }
}

/** What a user may be in an account. */
export const accountRoles = ["owner", "member", "viewer"] as const satisfies readonly AccountRole[];

/** Options of the commands that set a password. */
export interface PasswordOptions {
  /** Read the password from standard input. Else one is made, and printed once. */
  passwordStdin?: boolean;
}

/** Makes a user who may do everything. Prints the password alone on standard output where it was made here. */
export async function createOperator(
  options: CommonOptions & PasswordOptions & { email: string; name?: string },
  context: CommandContext,
): Promise<void> {
  const { password, made } = await passwordFor(options, context);
  const name = options.name ?? options.email.split("@")[0] ?? "";
  const user = { email: options.email, name, password };
  const info = await run(options, context, (users) => users.create(user, { operator: true }, commandActor));
  context.err(`Operator ${info.email} (${info.id}) can sign in now.\n`);
  if (made) tellPassword(password, context);
}

/** Makes a user, with a role in an account where one is named. Prints the password as `createOperator` does. */
export async function createUser(
  options: CommonOptions & PasswordOptions & { email: string; name?: string; account?: string; role: AccountRole },
  context: CommandContext,
): Promise<void> {
  const { password, made } = await passwordFor(options, context);
  const name = options.name ?? options.email.split("@")[0] ?? "";
  const user = { email: options.email, name, password };
  const { account, role } = options;
  const info = await run(options, context, async (users) => {
    const created = await users.create(user, { operator: false }, commandActor);
    return account === undefined ? created : users.setRole(created.id, account, role, commandActor);
  });
  context.err(`User ${info.email} (${info.id}), ${rolesOf(info)}, can sign in now.\n`);
  if (made) tellPassword(password, context);
}

export async function listUsers(options: CommonOptions, context: CommandContext): Promise<void> {
  const all = await run(options, context, (users) => users.list());
  if (all.length === 0) {
    context.err("There is no user yet: interlingua users create-operator --email <address>\n");
    return;
  }
  context.out(table([["ID", "E-MAIL", "NAME", "STATE", "ROLES", "SECOND FACTOR", "CREATED"], ...all.map(rowOf)]));
}

/** Sets a new password, ends all sessions of the user, and prints the password where it was made here. */
export async function resetPassword(
  user: string,
  options: CommonOptions & PasswordOptions,
  context: CommandContext,
): Promise<void> {
  const { password, made } = await passwordFor(options, context);
  const info = await run(options, context, (users) => users.resetPassword(user, password, commandActor));
  context.err(`The password of ${info.email} is a new one, and all its sessions have ended.\n`);
  if (made) tellPassword(password, context);
}

export async function setUserDisabled(
  user: string,
  disabled: boolean,
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  const info = await run(options, context, (users) => users.setDisabled(user, disabled, commandActor));
  context.out(
    `User ${info.email} (${info.id}) is ${disabled ? "disabled, and all its sessions have ended" : "enabled"}.\n`,
  );
}

/** Roles as the command line takes them; `none` takes the user out of the account. */
export const roleArguments = [...accountRoles, "none"] as const;

export async function setUserRole(
  user: string,
  account: string,
  role: AccountRole | "none",
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  const info = await run(options, context, (users) =>
    users.setRole(user, account, role === "none" ? null : role, commandActor),
  );
  context.out(`User ${info.email} (${info.id}): ${rolesOf(info)}.\n`);
}

async function run<Result>(
  options: CommonOptions,
  context: CommandContext,
  task: (users: Users) => Promise<Result>,
): Promise<Result> {
  // The local server is of no interest here, and asking it would take time.
  const config = await loadConfig({ ...fileOption(options), env: context.env, localModels: async () => [] });
  return withUsers(config, context.platform, ({ users }) => task(users));
}

async function passwordFor(
  { passwordStdin }: PasswordOptions,
  context: CommandContext,
): Promise<{ password: string; made: boolean }> {
  if (!passwordStdin) return { password: madePassword(context.platform), made: true };
  const [password = ""] = ((await context.input?.()) ?? "").split(/\r?\n/, 1);
  if (password === "") throw new UserError("invalid", "There is no password on standard input", "password");
  return { password, made: false };
}

/** Twenty letters and digits, a hundred bits, in groups that can be read aloud. */
function madePassword(platform: Platform): string {
  const digits = "0123456789abcdefghjkmnpqrstvwxyz";
  const letters = [...platform.randomBytes(20)].map((byte) => digits.charAt(byte & 31)).join("");
  return letters.replace(/(.{5})(?=.)/g, "$1-");
}

function tellPassword(password: string, context: CommandContext): void {
  context.err("The password is shown only now; change it after the first sign-in:\n");
  context.out(`${password}\n`);
}

function rowOf(user: UserInfo): string[] {
  const state = user.disabledAt === null ? "enabled" : "disabled";
  const factor = user.twoFactorEnabled ? "yes" : "no";
  return [user.id, user.email, user.name, state, rolesOf(user), factor, dateText(user.createdAt)];
}

function rolesOf({ operator, memberships }: UserInfo): string {
  const roles = memberships.map(({ accountId, role }) => `${role} of ${accountId}`);
  return [...(operator ? ["operator"] : []), ...roles].join(", ") || "no role";
}
