import type { AccountInfo } from "../accounts/account-row.ts";
import type { AccountSettings } from "../accounts/account-settings.ts";
import { AccountsError } from "../accounts/accounts-error.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import { showMarkup } from "../config/markup.ts";
import type { DollarsArgument } from "./arguments.ts";
import { commandActor } from "./command-actor.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { type LimitOptions, limitsOf, limitText, shortLimits } from "./limit-options.ts";
import { runOnAccounts } from "./open-accounts.ts";
import { dateText, table } from "./table.ts";

/** What the command line sets of an account. */
export interface AccountOptions extends LimitOptions {
  billing?: "prepaid" | "postpaid";
  creditLimit?: DollarsArgument;
  markup?: number;
}

export async function createAccount(
  options: CommonOptions & AccountOptions & { name: string },
  context: CommandContext,
): Promise<void> {
  const settings = { ...settingsOf(options), name: options.name };
  const info = await runOnAccounts(options, context, ({ accounts }) => accounts.create(settings, commandActor));
  context.out(table(linesOf(info)));
}

export async function listAccounts(options: CommonOptions, context: CommandContext): Promise<void> {
  const all = await runOnAccounts(options, context, ({ accounts }) => accounts.list());
  const head = ["ID", "NAME", "STATE", "BILLING", "BALANCE", "RESERVED", "AVAILABLE", "MARKUP", "LIMITS"];
  context.out(table([head, ...all.map(rowOf)]));
}

export async function showAccount(account: string, options: CommonOptions, context: CommandContext): Promise<void> {
  const info = await runOnAccounts(options, context, ({ accounts }) => accounts.show(account));
  context.out(table(linesOf(info)));
}

export async function setAccount(
  account: string,
  options: CommonOptions & AccountOptions & { name?: string },
  context: CommandContext,
): Promise<void> {
  const change = { ...settingsOf(options), ...(options.name === undefined ? {} : { name: options.name }) };
  if (Object.keys(change).length === 0) {
    throw new AccountsError("invalid", "Say what to set: interlingua accounts set --help");
  }
  const info = await runOnAccounts(options, context, ({ accounts }) => accounts.set(account, change, commandActor));
  context.out(table(linesOf(info)));
}

export async function setAccountState(
  account: string,
  state: "active" | "suspended",
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  const info = await runOnAccounts(options, context, ({ accounts }) => accounts.setState(account, state, commandActor));
  context.out(`Account "${info.name}" (${info.id}) is ${info.state}.\n`);
}

function settingsOf(options: AccountOptions): AccountSettings {
  const { billing, creditLimit, markup } = options;
  const limits = limitsOf(options);
  return {
    ...(billing === undefined ? {} : { billing }),
    ...(creditLimit === undefined ? {} : { creditLimit: creditLimit === "none" ? null : creditLimit }),
    ...(markup === undefined ? {} : { markupPpm: markup }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function rowOf(info: AccountInfo): string[] {
  return [
    info.id,
    info.name,
    info.state,
    info.billing,
    formatDollars(info.balance),
    formatDollars(info.reserved),
    availableText(info),
    showMarkup(info.markupPpm),
    shortLimits(info.limits),
  ];
}

function linesOf(info: AccountInfo): string[][] {
  const credit = info.creditLimit === null ? "without bound" : formatDollars(info.creditLimit);
  return [
    ["id", info.id],
    ["name", info.name],
    ["state", info.state],
    ["billing", info.billing],
    ["balance", formatDollars(info.balance)],
    ["reserved", formatDollars(info.reserved)],
    ["available", availableText(info)],
    ["credit limit", info.billing === "prepaid" ? "none: prepaid" : credit],
    ["markup", showMarkup(info.markupPpm)],
    ["limits", limitText(info.limits, "unlimited")],
    ["created", dateText(info.createdAt)],
  ];
}

function availableText({ available }: AccountInfo): string {
  return available === null ? "without bound" : formatDollars(available);
}
