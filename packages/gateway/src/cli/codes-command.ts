import { formatDollars } from "../catalogue/prices/money.ts";
import { createCodeDigests } from "../payments/code-text.ts";
import {
  type CodeInfo,
  type CodeState,
  createRedemptionCodes,
  type RedemptionCodes,
} from "../payments/redemption-codes.ts";
import type { EndArgument } from "./arguments.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { type OpenMoney, runOnMoney } from "./open-money.ts";
import { dateText, table } from "./table.ts";

export type NewCodesOptions = CommonOptions & {
  amount: bigint;
  count: number;
  expires?: EndArgument;
  note?: string;
};

/** Prints the new codes alone on standard output, one a line. */
export async function createCodes(options: NewCodesOptions, context: CommandContext): Promise<void> {
  const { amount, count, note } = options;
  const expiresAt = endOf(options.expires, context);
  const made = await run(options, context, (codes, { actor }) =>
    codes.create({ amount, count, expiresAt, note }, actor),
  );
  const until = expiresAt === null ? "" : `, until ${dateText(expiresAt)}`;
  context.err(
    `${made.length} codes of ${formatDollars(amount)} each${until}. They are shown only now; keep them safe.\n`,
  );
  for (const { code } of made) context.out(`${code}\n`);
}

export async function listCodes(
  options: CommonOptions & { state?: CodeState },
  context: CommandContext,
): Promise<void> {
  const { state } = options;
  const codes = await run(options, context, (all) => all.list(state ? { state } : {}));
  const head = ["ID", "STATE", "AMOUNT", "CREATED", "EXPIRES", "REDEEMED", "BY", "NOTE"];
  context.out(table([head, ...codes.map(rowOf)]));
}

export async function revokeCode(id: string, options: CommonOptions, context: CommandContext): Promise<void> {
  const info = await run(options, context, (codes, { actor }) => codes.revoke(id, actor));
  context.out(`The code ${info.id} over ${formatDollars(info.amount)} is revoked.\n`);
}

function endOf(end: EndArgument | undefined, { platform }: CommandContext): number | null {
  if (end === undefined || end === "never") return null;
  return "at" in end ? end.at : platform.now() + end.after;
}

function run<Result>(
  options: CommonOptions,
  context: CommandContext,
  task: (codes: RedemptionCodes, open: OpenMoney) => Promise<Result>,
): Promise<Result> {
  return runOnMoney(options, context, async (open) => {
    const { database, platform } = open;
    const digests = createCodeDigests(await open.secret());
    return task(createRedemptionCodes({ database, platform, digests }), open);
  });
}

function rowOf(info: CodeInfo): string[] {
  return [
    info.id,
    info.state,
    formatDollars(info.amount),
    dateText(info.createdAt),
    info.expiresAt === null ? "never" : dateText(info.expiresAt),
    info.redeemedAt === null ? "-" : dateText(info.redeemedAt),
    info.redeemedBy ?? "-",
    info.note ?? "",
  ];
}
