import { type CanonicalRequest, cacheWriteTokens, inputTokens, type Usage } from "@interlingua/protocols";
import { clamp } from "../accounts/ledger.ts";
import type { AbortReason, Outcome, PriceLine } from "../calls/call-record.ts";
import { type PriceLine as ChargeLine, chargeFor } from "../catalogue/prices/charge.ts";
import { MoneyError } from "../catalogue/prices/money.ts";
import type { PriceVersion } from "../catalogue/prices/price-version.ts";
import { serviceTierOf } from "../catalogue/prices/service-tier.ts";
import type { AnswerMeter } from "./answer-meter.ts";
import type { Budget } from "./budget.ts";
import { estimateInputTokens } from "./token-estimate.ts";

/** What a call used and what it costs. Amounts in nano-dollars. */
export interface Bill {
  usage: Usage | null;
  /** The upstream's figures were not believed (M12). */
  disputed: boolean;
  /** What the caller pays: never more than was set aside. */
  charge: bigint;
  /** What the usage would have cost beyond that (M6). */
  overrun: bigint;
  priceVersion: string | null;
  lines: PriceLine[];
}

/** What is known of an ended call. */
export interface EndedCall {
  outcome: Outcome;
  abortReason: AbortReason | null;
  /** Undefined: refused before anything was set aside. */
  budget: Budget | undefined;
  request: CanonicalRequest | undefined;
  /** The price of the channel that served it; undefined: it costs nothing, or none served it. */
  price: PriceVersion | undefined;
  /** As the upstream told it. */
  told: Usage | undefined;
  meter: AnswerMeter | undefined;
  /** The upstream has begun to answer. */
  answered: boolean;
  onDisconnect: "received" | "drain" | "free";
}

/** Told usage that would cost more than this many times the reservation is not believed. */
const absurdFactor = 4n;
/** Told output below this share of what was seen to stream is not believed. */
const leastShare = 0.5;

/**
 * What a call costs by what was produced (M11): the upstream's own figures where they can be true, else counted here. A
 * call that brought no answer costs nothing.
 */
export async function billOf(call: EndedCall): Promise<Bill> {
  const { budget, price } = call;
  const told = call.told && hasCounters(call.told) ? call.told : undefined;
  if (!budget || !producedSomething(call)) return free(told ?? null, price);
  const { usage, disputed } = await usageOf(call, told, budget);
  if (!price || isGift(call)) return { ...free(usage, price), disputed };
  const terms = { markupPpm: budget.markupPpm, serviceTier: serviceTierOf(call.request?.serviceTier) };
  const { total, lines } = chargeFor(price, usage, terms);
  const charge = clamp(total, budget.reservation.amount);
  return {
    usage,
    disputed,
    charge,
    overrun: total - charge,
    priceVersion: price.id,
    lines: [...lines.map(lineOf), ...absorbed(total - charge)],
  };
}

/** What a running call would cost if it ended now, roughly; for its checkpoint (M3). */
export function costSoFar(call: EndedCall, roughInput: number): { usage: Usage; charge: bigint } {
  const { budget, price, told, meter } = call;
  const output = Math.max(told?.output.total ?? 0, meter?.roughTokens ?? 0);
  const input = told && inputTokens(told) !== undefined ? told.input : { uncached: roughInput };
  const usage: Usage = { input, output: { total: output }, estimated: true };
  if (!budget || !price) return { usage, charge: 0n };
  try {
    const { total } = chargeFor(price, usage, { markupPpm: budget.markupPpm });
    return { usage, charge: clamp(total, budget.reservation.amount) };
  } catch (error) {
    // Figures that cannot be true charge nothing here; the settlement counts for itself.
    if (error instanceof MoneyError) return { usage: { input: {}, output: {} }, charge: 0n };
    throw error;
  }
}

function producedSomething({ outcome, answered, abortReason }: EndedCall): boolean {
  switch (outcome) {
    case "succeeded":
      return true;
    case "client_closed":
    case "upstream_incomplete":
    case "drained":
      return answered;
    case "failed":
      return answered && abortReason === "reservation_used_up";
    case "refused":
    case "interrupted":
      return false;
  }
}

function isGift({ outcome, onDisconnect }: EndedCall): boolean {
  return outcome === "client_closed" && onDisconnect === "free";
}

async function usageOf(
  call: EndedCall,
  told: Usage | undefined,
  budget: Budget,
): Promise<{ usage: Usage; disputed: boolean }> {
  if (told && !(await canBeTrue(call, told, budget))) return { usage: await counted(call, undefined), disputed: true };
  if (told && call.outcome === "succeeded" && told.output.total !== undefined && inputTokens(told) !== undefined) {
    return { usage: told, disputed: false };
  }
  return { usage: await counted(call, told), disputed: false };
}

/** What was told where it is more, and what was seen for the rest: the end of the answer, which tells the sums, is missing. */
async function counted({ request, meter }: EndedCall, told: Usage | undefined): Promise<Usage> {
  const seen = (await meter?.countTokens()) ?? 0;
  const toldOutput = told?.output.total ?? 0;
  const knowsInput = told !== undefined && inputTokens(told) !== undefined;
  if (knowsInput && toldOutput >= seen) return { ...told, output: { ...told.output, total: toldOutput } };
  const input = knowsInput ? told.input : { uncached: request ? await estimateInputTokens(request) : 0 };
  return { ...told, input, output: { ...told?.output, total: Math.max(seen, toldOutput) }, estimated: true };
}

/** Whether an upstream's figures can be true (M12): whole, not many times the bound, and not far below what was seen. */
async function canBeTrue({ price, meter, outcome }: EndedCall, told: Usage, budget: Budget): Promise<boolean> {
  if (!areWhole(told)) return false;
  const most = budget.bounds.inputTokens + budget.bounds.outputTokens;
  if ((inputTokens(told) ?? 0) + (told.output.total ?? 0) > most * Number(absurdFactor)) return false;
  if (price) {
    try {
      const { total } = chargeFor(price, told, { markupPpm: budget.markupPpm });
      if (total > budget.reservation.amount * absurdFactor) return false;
    } catch (error) {
      if (error instanceof MoneyError) return false;
      throw error;
    }
  }
  if (outcome !== "succeeded" || told.output.total === undefined || !meter) return true;
  // The exact count costs time and is needed only where the rough one raises a doubt.
  if (told.output.total >= meter.roughTokens * leastShare) return true;
  return told.output.total >= (await meter.countTokens()) * leastShare;
}

function areWhole(usage: Usage): boolean {
  const counters = [
    ...Object.values(usage.input),
    ...Object.values(usage.output),
    ...Object.values(usage.serverTools ?? {}),
    usage.inputAudio,
  ];
  return counters.every((each) => each === undefined || (Number.isSafeInteger(each) && each >= 0));
}

function hasCounters(usage: Usage): boolean {
  return inputTokens(usage) !== undefined || cacheWriteTokens(usage) !== undefined || usage.output.total !== undefined;
}

function free(usage: Usage | null, price: PriceVersion | undefined): Bill {
  return { usage, disputed: false, charge: 0n, overrun: 0n, priceVersion: price?.id ?? null, lines: [] };
}

function lineOf(line: ChargeLine): PriceLine {
  const { amount } = line;
  switch (line.kind) {
    case "tokens":
      return { class: line.class, quantity: line.tokens, price: line.perMillion, amount };
    case "request":
      return { class: "request", quantity: 1, price: line.each, amount };
    case "server-tool":
      return { class: `tool:${line.tool}`, quantity: line.uses, price: line.each, amount };
  }
}

/** What is beyond the reservation is not charged: a line of its own keeps the sum right. */
function absorbed(overrun: bigint): PriceLine[] {
  return overrun > 0n ? [{ class: "overrun", quantity: 1, price: 0n, amount: -overrun }] : [];
}
