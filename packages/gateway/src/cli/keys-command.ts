import type { AccessKeyInfo } from "../accounts/access-key-row.ts";
import type { AccessKeySettings } from "../accounts/access-key-settings.ts";
import type { AccessKeys } from "../accounts/access-keys.ts";
import { AccountsError } from "../accounts/accounts-error.ts";
import type { KeyQuota } from "../accounts/auth-result.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import type { Config } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import type { QuotaPeriod } from "../storage/schema.ts";
import type { DollarsArgument, EndArgument, ListArgument } from "./arguments.ts";
import { commandActor } from "./command-actor.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { type LimitOptions, limitsOf, limitText, shortLimits } from "./limit-options.ts";
import { runOnAccounts, withAccounts } from "./open-accounts.ts";
import { dateText, table } from "./table.ts";

/** Opens the configured database for a task on its access keys, and closes it whatever comes of the task. */
export function withAccessKeys<Result>(
  config: Config,
  platform: Platform,
  task: (keys: AccessKeys) => Promise<Result>,
): Promise<Result> {
  return withAccounts(config, platform, ({ keys }) => task(keys));
}

/** What the command line sets of a key. */
export interface KeyOptions extends LimitOptions {
  expires?: EndArgument;
  models?: ListArgument;
  addresses?: ListArgument;
  quota?: DollarsArgument;
  quotaPeriod?: QuotaPeriod;
  lossy?: "allow" | "refuse";
  contentLogging?: "on" | "off";
}

/** Prints the new key alone on standard output, so that a script can take it. */
export async function createKey(
  options: CommonOptions & KeyOptions & { name: string; account?: string },
  context: CommandContext,
): Promise<void> {
  const { name, account } = options;
  const settings = { ...settingsOf(options, context.platform, null), name };
  const made = await runOnAccounts(options, context, ({ keys }) =>
    keys.create({ ...settings, ...(account === undefined ? {} : { account }) }, commandActor),
  );
  showNewKey(made, context);
}

export async function listKeys(options: CommonOptions & { account?: string }, context: CommandContext): Promise<void> {
  const all = await runOnAccounts(options, context, async ({ keys, accounts }) =>
    keys.list(options.account === undefined ? {} : { accountId: (await accounts.show(options.account)).id }),
  );
  if (all.length === 0) {
    context.err("There is no access key yet: interlingua keys create --name <name>\n");
    return;
  }
  const head = ["ID", "NAME", "STATE", "DECLARED IN", "LIMITS", "ACCOUNT", "QUOTA", "EXPIRES", "CREATED", "LAST USED"];
  context.out(table([head, ...all.map(rowOf)]));
}

export async function showKey(key: string, options: CommonOptions, context: CommandContext): Promise<void> {
  const info = await runOnAccounts(options, context, ({ keys }) => keys.show(key));
  context.out(table(linesOf(info)));
}

export async function setKey(
  key: string,
  options: CommonOptions & KeyOptions & { name?: string },
  context: CommandContext,
): Promise<void> {
  const info = await runOnAccounts(options, context, async ({ keys }) => {
    const settings = settingsOf(options, context.platform, (await keys.show(key)).quota);
    const { name } = options;
    const change = { ...settings, ...(name === undefined ? {} : { name }) };
    if (Object.keys(change).length === 0) {
      throw new AccountsError("invalid", "Say what to set: interlingua keys set --help");
    }
    return keys.set(key, change, commandActor);
  });
  context.out(table(linesOf(info)));
}

export async function setKeyLimits(
  key: string,
  options: CommonOptions & LimitOptions,
  context: CommandContext,
): Promise<void> {
  const limits = limitsOf(options);
  if (!limits) {
    throw new AccountsError("invalid", "Say which limit: --requests-per-minute, --tokens-per-minute or --concurrency");
  }
  const info = await runOnAccounts(options, context, ({ keys }) => keys.set(key, { limits }, commandActor));
  context.out(`Access key "${info.name}" (${info.id}) has the limits: ${limitText(info.limits, "default")}.\n`);
}

export async function setKeyState(
  key: string,
  state: "enabled" | "disabled",
  options: CommonOptions & { terminate?: boolean },
  context: CommandContext,
): Promise<void> {
  const end = { terminate: options.terminate === true };
  const info = await runOnAccounts(options, context, ({ keys }) => keys.setState(key, state, commandActor, end));
  tellState(info, context);
}

export async function revokeKey(
  key: string,
  options: CommonOptions & { terminate?: boolean },
  context: CommandContext,
): Promise<void> {
  const end = { terminate: options.terminate === true };
  tellState(await runOnAccounts(options, context, ({ keys }) => keys.revoke(key, commandActor, end)), context);
}

/** Prints the new key alone on standard output, like `createKey`. */
export async function rotateKey(
  key: string,
  options: CommonOptions & { grace: number },
  context: CommandContext,
): Promise<void> {
  const made = await runOnAccounts(options, context, ({ keys }) => keys.rotate(key, options.grace, commandActor));
  const last = made.info.formerSecrets.at(-1);
  if (options.grace === 0 || !last) context.err("All former secrets are refused from now on.\n");
  else context.err(`The former secret is good until ${dateText(last.expiresAt)}.\n`);
  showNewKey(made, context);
}

function showNewKey({ info, key }: { info: AccessKeyInfo; key: string }, context: CommandContext): void {
  context.err(`Access key "${info.name}" (${info.id}). It is shown only now; keep it safe.\n`);
  context.out(`${key}\n`);
}

function tellState(info: AccessKeyInfo, context: CommandContext): void {
  context.out(`Access key "${info.name}" (${info.id}) is ${info.state}.\n`);
}

/** The settings that the options name. A new amount keeps the period that the quota has. */
function settingsOf(options: KeyOptions, platform: Platform, quota: KeyQuota | null): AccessKeySettings {
  const { expires, models, addresses, lossy, contentLogging } = options;
  const limits = limitsOf(options);
  const newQuota = quotaOf(options, quota);
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(expires === undefined ? {} : { expiresAt: endOf(expires, platform) }),
    ...(models === undefined ? {} : { models: listOf(models) }),
    ...(addresses === undefined ? {} : { addresses: listOf(addresses) }),
    ...(newQuota === undefined ? {} : { quota: newQuota }),
    ...(lossy === undefined ? {} : { lossy }),
    ...(contentLogging === undefined ? {} : { contentLogging: contentLogging === "on" }),
  };
}

function quotaOf({ quota, quotaPeriod }: KeyOptions, before: KeyQuota | null): KeyQuota | null | undefined {
  if (quota === "none") return null;
  const amount = quota ?? before?.amount;
  if (quota === undefined && quotaPeriod === undefined) return undefined;
  if (amount === undefined)
    throw new AccountsError("invalid", "Say the amount, too: --quota 25.00 --quota-period month");
  return { amount, period: quotaPeriod ?? before?.period ?? "total" };
}

function listOf(list: ListArgument): string[] | null {
  return list === "all" ? null : list;
}

function endOf(end: EndArgument, platform: Platform): number | null {
  if (end === "never") return null;
  return "at" in end ? end.at : platform.now() + end.after;
}

function rowOf(info: AccessKeyInfo): string[] {
  return [
    info.id,
    info.name,
    info.state,
    info.origin === "configuration" ? "file" : "-",
    shortLimits(info.limits),
    info.account.name,
    quotaText(info.quota, "-"),
    info.expiresAt === null ? "never" : dateText(info.expiresAt),
    dateText(info.createdAt),
    info.lastUsedAt === null ? "never" : dateText(info.lastUsedAt),
  ];
}

function linesOf(info: AccessKeyInfo): string[][] {
  const former = info.formerSecrets.map((secret) => `${secret.publicId} until ${dateText(secret.expiresAt)}`);
  return [
    ["id", info.id],
    ["name", info.name],
    ["public id", info.publicId],
    ["account", `${info.account.name} (${info.account.id})`],
    ["state", info.state],
    ["declared in", info.origin === "configuration" ? "the configuration file" : "-"],
    ["expires", info.expiresAt === null ? "never" : dateText(info.expiresAt)],
    ["models", listText(info.models)],
    ["addresses", listText(info.addresses)],
    ["quota", quotaText(info.quota, "none")],
    ["limits", limitText(info.limits, "default")],
    ["lossy conversions", info.lossy],
    ["content logging", info.contentLogging ? "on" : "off"],
    ["created", dateText(info.createdAt)],
    ["last used", info.lastUsedAt === null ? "never" : dateText(info.lastUsedAt)],
    ["former secrets", former.length === 0 ? "none" : former.join(", ")],
  ];
}

function listText(list: readonly string[] | null): string {
  if (list === null) return "all";
  return list.length === 0 ? "none" : list.join(", ");
}

function quotaText(quota: KeyQuota | null, none: string): string {
  if (quota === null) return none;
  return `${formatDollars(quota.amount)} ${quota.period === "total" ? "in total" : `a ${quota.period}`}`;
}
