import { type Command, InvalidArgumentError, Option } from "commander";
import type { LedgerKind } from "../storage/schema.ts";
import { dollarsArgument, endArgument, timeArgument } from "./arguments.ts";
import { type AuditOptions, auditCommand } from "./audit-command.ts";
import { createCodes, listCodes, type NewCodesOptions, revokeCode } from "./codes-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { adjustAccount, type LedgerOptions, refundAccount, showLedger, topUpAccount } from "./money-command.ts";
import { cancelPaymentOrder, createPaymentOrder, listPaymentOrders, type NewOrderOptions } from "./orders-command.ts";
import { listPrices, type PriceOptions, setModelPrice, showPrice } from "./prices-command.ts";

type WithConfig = (command: Command) => Command;

/** Adds the commands on money; those on an account's money go to the other commands on accounts, which must be there. */
export function addMoneyCommands(program: Command, context: CommandContext, withConfig: WithConfig): void {
  addBalances(program, context, withConfig);
  addCodes(program, context, withConfig);
  addOrders(program, context, withConfig);
  addPrices(program, context, withConfig);
  withConfig(program.command("audit"))
    .description("check the books against themselves, also while a gateway runs; exit code 1 where something is wrong")
    .option("--json", "as JSON")
    .option("--acknowledged <file>", "a file with the id of a call in each line: each must be recorded")
    .option("--since <time>", "miss no calls from before: for when calls.retention was made longer", timeArgument)
    .action((options: AuditOptions) => auditCommand(options, context));
}

function addBalances(program: Command, context: CommandContext, withConfig: WithConfig): void {
  const accounts = program.commands.find((command) => command.name() === "accounts") ?? program.command("accounts");
  const onAccount = (name: string) => withConfig(accounts.command(name)).argument("<account>", "id or name");
  onAccount("top-up")
    .argument("<dollars>", "how much, such as 25.00", amountArgument)
    .description("add money to an account")
    .option("--reference <text>", "what it comes from, such as an invoice: credited once")
    .option("--note <text>", "for whoever reads the ledger")
    .action((account: string, amount: bigint, options: CommonOptions & { reference?: string; note?: string }) =>
      topUpAccount(account, amount, options, context),
    );
  onAccount("adjust")
    .argument("<dollars>", "how much, such as -3.10", amountArgument)
    .description("correct a balance, up or down")
    .requiredOption("--note <text>", "why")
    .option("--reference <text>", "what it comes from: done once")
    .action((account: string, amount: bigint, options: CommonOptions & { note: string; reference?: string }) =>
      adjustAccount(account, amount, options, context),
    );
  onAccount("refund")
    .description("give back what a call was charged, or a part of it")
    .requiredOption("--call <id>", "which call")
    .option("--amount <dollars>", "how much (default: all that is left)", amountArgument)
    .option("--note <text>", "for whoever reads the ledger")
    .action((account: string, options: CommonOptions & { call: string; amount?: bigint; note?: string }) =>
      refundAccount(account, options, context),
    );
  onAccount("ledger")
    .description("show what has changed the balance of an account, the newest first")
    .addOption(new Option("--kind <kind>", "only these").choices(kinds))
    .option("--from <time>", "from this time on", timeArgument)
    .option("--to <time>", "before this time", timeArgument)
    .option("--limit <number>", "how many, at most 200 (default: 50)", countArgument(200))
    .option("--cursor <cursor>", "go on where another list ended")
    .option("--json", "as JSON")
    .action((account: string, options: LedgerOptions) => showLedger(account, options, context));
}

const kinds: LedgerKind[] = ["charge", "top_up", "payment", "redemption", "adjustment", "refund"];

function addCodes(program: Command, context: CommandContext, withConfig: WithConfig): void {
  const codes = program.command("codes").description("codes that are worth money: create, list, revoke");
  withConfig(codes.command("create"))
    .description("make codes and print them, once")
    .requiredOption("--amount <dollars>", "what each is worth", amountArgument)
    .option("--count <number>", "how many, at most 1000", countArgument(1000), 1)
    .option("--expires <time>", "a date, or a time from now such as 30d (default: never)", endArgument)
    .option("--note <text>", "what they are for")
    .action((options: NewCodesOptions) => createCodes(options, context));
  withConfig(codes.command("list"))
    .description("show the newest codes, without the codes themselves")
    .addOption(new Option("--state <state>", "only these").choices(["open", "redeemed", "expired", "revoked"]))
    .action((options: Parameters<typeof listCodes>[0]) => listCodes(options, context));
  withConfig(codes.command("revoke"))
    .argument("<id>", "as `codes list` shows it")
    .description("end a code that nobody has redeemed")
    .action((id: string, options: CommonOptions) => revokeCode(id, options, context));
}

function addOrders(program: Command, context: CommandContext, withConfig: WithConfig): void {
  const orders = program.command("orders").description("orders that payment providers tell of: create, list, cancel");
  withConfig(orders.command("create"))
    .description("make an order and print its id, which the payment must bear as order_id")
    .requiredOption("--account <account>", "id or name of the account that is credited")
    .requiredOption("--amount <amount>", "what is to be paid, such as 20 or 20.50")
    .requiredOption("--currency <currency>", "three letters, such as usd")
    .option("--credit <dollars>", "what is credited (default: the amount, where it is in usd)", amountArgument)
    .action((options: NewOrderOptions) => createPaymentOrder(options, context));
  withConfig(orders.command("list"))
    .description("show the newest orders")
    .option("--account <account>", "of this account")
    .action((options: CommonOptions & { account?: string }) => listPaymentOrders(options, context));
  withConfig(orders.command("cancel"))
    .argument("<id>", "of an order that is not paid")
    .description("end an order: a payment that comes all the same credits nothing")
    .action((id: string, options: CommonOptions) => cancelPaymentOrder(id, options, context));
}

function addPrices(program: Command, context: CommandContext, withConfig: WithConfig): void {
  const prices = program.command("prices").description("what models cost: list, show, set");
  withConfig(prices.command("list"))
    .argument("[model]", "only those that hold for it")
    .description("show the prices that commands and the configuration have set")
    .action((model: string | undefined, options: CommonOptions) => listPrices(model, options, context));
  withConfig(prices.command("show"))
    .argument("<model>", "as callers name it")
    .description("show what a model costs now, on each channel, and where that comes from")
    .action((model: string, options: CommonOptions) => showPrice(model, options, context));
  const perMillion = (command: Command, name: string) =>
    command.option(`--${name} <dollars>`, "for a million tokens", amountArgument);
  const set = withConfig(prices.command("set"))
    .argument("<model>", "a name, with * for any run of characters")
    .description("set a price from now on; running gateways follow within a second, calls under way keep theirs")
    .option("--channel <name>", "on this channel alone");
  for (const name of [
    "input",
    "output",
    "cache-read",
    "cache-write",
    "cache-write-5m",
    "cache-write-1h",
    "reasoning",
  ]) {
    perMillion(set, name);
  }
  set
    .option("--request <dollars>", "for each call", amountArgument)
    .option("--from <time>", "from this time on, such as 2026-12-31T18:00Z (default: now)", timeArgument)
    .action((model: string, options: PriceOptions) => setModelPrice(model, options, context));
}

function amountArgument(text: string): bigint {
  const amount = dollarsArgument(text);
  if (amount !== "none") return amount;
  throw new InvalidArgumentError("It must be an amount in dollars such as 12.50.");
}

function countArgument(most: number): (text: string) => number {
  return (text) => {
    const count = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
}
