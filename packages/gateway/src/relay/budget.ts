import { type CanonicalError, type CanonicalRequest, ProtocolError } from "@interlingua/protocols";
import type { Funds } from "../accounts/funds.ts";
import type { Ledger, Reservation, ReservationRefusal } from "../accounts/ledger.ts";
import type { PriceSource } from "../catalogue/prices/price-source.ts";
import type { PriceVersion } from "../catalogue/prices/price-version.ts";
import { type ServiceTier, serviceTierOf } from "../catalogue/prices/service-tier.ts";
import { affordableOutput, worstCase } from "../catalogue/prices/worst-case.ts";
import type { Candidate } from "../channels/route-plan.ts";
import type { Config } from "../config/config.ts";
import { answersOf, type CallBounds, countedInputBound, inputBound, outputBound } from "./call-bounds.ts";
import { type Idempotency, idempotencyOf } from "./idempotency.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { cannotPay, unpriced } from "./own-errors.ts";

/** The money of one call, from its admission to its settlement. */
export interface Budget {
  reservation: Reservation;
  /** What each candidate costs: decided at the admission (M18). Absent: nothing. */
  prices: ReadonlyMap<Candidate, PriceVersion>;
  /** In millionths, as `chargeFor` takes it. */
  markupPpm: number;
  bounds: CallBounds;
  /** Tokens of one answer, where the balance affords less than the caller wanted: the upstream is told. */
  loweredCap: number | undefined;
}

export interface BudgetOptions {
  ledger: Ledger;
  prices: PriceSource;
  /** What an account and a key can spend at this moment. Rejects with a StorageError. */
  readFunds: (accountId: string, accessKeyId: string) => Promise<Funds>;
  /** What a caller is told whose idempotency key is in use (M8); undefined where it is not. */
  explainRepeat: (accessKeyId: string, idempotency: Idempotency) => Promise<CanonicalError | undefined>;
  settings: Pick<Config, "billing">;
}

/** A cap below this is not worth a call, and some families refuse it. */
const leastOutputTokens = 16;
/** Others spend from the same balance while a smaller reservation is worked out. */
const tries = 3;

/**
 * Sets aside the most that a call can cost, before anything is sent (M2, M5). Where the caller cannot pay that much, the
 * input is counted instead of bounded, and the answer's cap is lowered to what is left: nobody is refused who can pay.
 * Throws `ProtocolError` 403 for one who cannot.
 */
export async function reserveBudget(
  options: BudgetOptions,
  call: IncomingCall,
  request: CanonicalRequest,
  candidates: readonly Candidate[],
): Promise<Budget> {
  const idempotency = idempotencyOf(call);
  const { prices: source, settings } = options;
  const prices = pricesOf(source, call, request, candidates);
  checkPriced(settings, call, candidates, prices);
  const markupPpm = call.key.account.markupPpm - 1_000_000;
  const contextWindow = windowOf(source, candidates);
  const terms: Terms = { versions: [...new Set(prices.values())], markupPpm, serviceTiers: tiersOf(request) };
  const { assumedOutputTokens } = settings.billing;

  const reserve = async (bounds: CallBounds, loweredCap: number | undefined): Promise<Budget | ReservationRefusal> => {
    const amount = mostOf(terms, bounds);
    const first = terms.versions[0];
    const keep = terms.versions.flatMap((version) => source.keep(version) ?? []);
    const outcome = await options.ledger.reserve(
      {
        callId: call.id,
        accountId: call.key.accountId,
        accessKeyId: call.key.id,
        amount,
        quotaPeriod: call.key.quota?.period ?? null,
        priceVersion: first?.id ?? null,
        startedAt: call.startedAt,
        clientProtocol: call.client,
        model: request.model,
        stream: request.stream,
        ...(idempotency ? { idempotency } : {}),
      },
      keep,
    );
    if (!outcome.ok) return outcome.reason;
    for (const version of terms.versions) source.wasKept(version);
    return { reservation: outcome.reservation, prices, markupPpm, bounds, loweredCap };
  };

  const bounds = {
    inputTokens: inputBound(call, request, contextWindow),
    outputTokens: outputBound(request, assumedOutputTokens),
  };
  let outcome = await reserve(bounds, undefined);
  if (typeof outcome !== "string") return outcome;
  /** Who asks again for a call that has run is told so, also where it took the last of the money (M8). */
  const refuse = async (reason: ReservationRefusal): Promise<ProtocolError> => {
    const repeat = idempotency && (await options.explainRepeat(call.key.id, idempotency));
    return repeat ? new ProtocolError(repeat) : refusalOf(reason, call);
  };
  if (outcome === "repeated" || terms.versions.length === 0) throw await refuse(outcome);

  const inputTokens = Math.min(bounds.inputTokens, await countedInputBound(request, contextWindow));
  for (let attempt = 0; attempt < tries; attempt++) {
    const funds = await options.readFunds(call.key.accountId, call.key.id);
    const output = outputFor(terms, inputTokens, least(funds), bounds.outputTokens);
    const perAnswer = output === null ? 0 : Math.floor(output / answersOf(request));
    if (output === null || perAnswer < smallestUseful(request)) throw await refuse(tighter(funds));
    const lowered = output < bounds.outputTokens ? perAnswer : undefined;
    const outputTokens = lowered === undefined ? bounds.outputTokens : perAnswer * answersOf(request);
    outcome = await reserve({ inputTokens, outputTokens }, lowered);
    if (typeof outcome !== "string") return outcome;
    if (outcome === "repeated") break;
  }
  throw await refuse(outcome);
}

interface Terms {
  versions: readonly PriceVersion[];
  markupPpm: number;
  serviceTiers: readonly [ServiceTier, ...ServiceTier[]];
}

function mostOf({ versions, markupPpm, serviceTiers }: Terms, bounds: CallBounds): bigint {
  let most = 0n;
  for (const version of versions) {
    const cost = worstCase(version, { ...bounds, serviceTiers }, markupPpm);
    if (cost > most) most = cost;
  }
  return most;
}

/** Output tokens that the funds pay beside the input, at most as many as wanted; null where not even the input is paid. */
function outputFor(terms: Terms, inputTokens: number, funds: bigint | null, wanted: number): number | null {
  if (funds === null) return wanted;
  let output = wanted;
  for (const version of terms.versions) {
    const bounds = { inputTokens, serviceTiers: terms.serviceTiers };
    const affordable = affordableOutput(version, bounds, funds, terms.markupPpm);
    if (affordable === null) return null;
    output = Math.min(output, affordable);
  }
  return output;
}

/** The provider may serve a request in the ordinary way that asked for another. */
function tiersOf({ serviceTier }: CanonicalRequest): readonly [ServiceTier, ...ServiceTier[]] {
  if (serviceTier === "auto") return ["default", "flex", "priority"];
  return ["default", serviceTierOf(serviceTier)];
}

function pricesOf(
  source: PriceSource,
  call: IncomingCall,
  request: CanonicalRequest,
  candidates: readonly Candidate[],
): Map<Candidate, PriceVersion> {
  const prices = new Map<Candidate, PriceVersion>();
  for (const candidate of candidates) {
    const { channel, upstreamModel } = candidate;
    const question = { model: request.model, channel: channel.name, upstreamModel, at: call.startedAt };
    const version = source.priceOf(question);
    if (version) prices.set(candidate, version);
  }
  return prices;
}

/** The largest window of those that may serve the call; undefined where one of them is not known. */
function windowOf(source: PriceSource, candidates: readonly Candidate[]): number | undefined {
  let largest = 0;
  for (const { channel, upstreamModel } of candidates) {
    const limits = source.limitsOf(channel.name, upstreamModel);
    if (!limits) return undefined;
    largest = Math.max(largest, limits.contextWindow);
  }
  return largest;
}

function checkPriced(
  { billing }: Pick<Config, "billing">,
  call: IncomingCall,
  candidates: readonly Candidate[],
  prices: ReadonlyMap<Candidate, PriceVersion>,
): void {
  if (billing.unpriced === "allow") return;
  if (billing.unpriced === "postpaid_only" && call.key.account.billing === "postpaid") return;
  const free = (candidate: Candidate) => candidate.channel.sandbox || prices.has(candidate);
  if (!candidates.every(free)) throw new ProtocolError(unpriced(call.document.value.model));
}

/** A reasoning budget must fit into the cap beside the answer, or the family refuses the request. */
function smallestUseful({ reasoning }: CanonicalRequest): number {
  return leastOutputTokens + (reasoning?.budgetTokens ?? 0);
}

function least({ account, quota }: Funds): bigint | null {
  if (account === null) return quota;
  return quota === null || account < quota ? account : quota;
}

function tighter({ account, quota }: Funds): ReservationRefusal {
  return quota !== null && (account === null || quota < account) ? "quota" : "balance";
}

function refusalOf(reason: ReservationRefusal, call: IncomingCall): ProtocolError {
  return new ProtocolError(cannotPay(reason, call.key.quota?.period ?? null));
}
