import type { ErrorKind, Notice, ProtocolName, Usage } from "@interlingua/protocols";
import type { Lane, Outcome } from "../storage/schema.ts";

export type { Lane, Outcome };

/** When things happened, in milliseconds since the request's head was read; null where it did not come to that. */
export interface CallTimings {
  /** Authenticated, read, checked, routed. */
  admission: number | null;
  /** The request was handed to a connected upstream. */
  connect: number | null;
  /** The first byte of the upstream's answer. */
  firstByte: number | null;
  /** The first content of the answer. */
  firstToken: number | null;
  /** Everything but the end mark was written. */
  end: number | null;
}

/** One try of one channel. Times in milliseconds since the request's head was read. */
export interface AttemptRecord {
  channel: string;
  upstreamProtocol: ProtocolName;
  upstreamModel: string;
  lane: Lane;
  started: number;
  connect: number | null;
  firstByte: number | null;
  end: number | null;
  /** The upstream's status; null when there was none. */
  status: number | null;
  /** Null for the attempt that gave the answer. */
  errorKind: ErrorKind | null;
  errorCode: string | null;
  /** The upstream may have run it and asks for money, though the caller pays nothing for it (M7). */
  possiblyBilled: boolean;
}

/** One class of usage in the price of a call; the amounts of all lines add up to the charge. */
export interface PriceLine {
  /** For example `input`, `cache_read`, `output`, `request`. */
  class: string;
  /** Tokens, or uses of what is paid by use. */
  quantity: number;
  /** Nano-dollars for a million tokens, or for one use. */
  price: bigint;
  /** Nano-dollars. */
  amount: bigint;
}

/** One call, recorded once, when it has ended. No prompt and no answer text. */
export interface CallRecord {
  /** The call's id, shown to the caller in errors: `platform.id("call")`. Unique. */
  id: string;
  /** What the answer bore as `x-request-id`. */
  requestId: string;
  /** Unix milliseconds. */
  startedAt: number;
  /** `AuthenticatedKey.id`. */
  accessKeyId: string;
  /** The account that owns the key. */
  accountId: string;
  clientProtocol: ProtocolName;
  /** Null when the call never reached an upstream. */
  upstreamProtocol: ProtocolName | null;
  lane: Lane | null;
  channel: string | null;
  /** As the caller wrote it. Null when the body could not be read so far. */
  model: string | null;
  upstreamModel: string | null;
  stream: boolean;
  /** The HTTP status the caller got. */
  status: number;
  outcome: Outcome;
  /** The error's kind where there was one. */
  errorKind: ErrorKind | null;
  /** Null when nothing is known. A counter that nobody reported stays absent. */
  usage: Usage | null;
  notices: readonly Notice[];
  timings: CallTimings;
  /** Nano-dollars that were set aside before the upstream was asked. */
  reserved: bigint;
  /** Nano-dollars that the account paid; never more than `reserved`. */
  charge: bigint;
  /** Nano-dollars of the upstream's usage beyond the reservation, which nobody paid (M6). */
  overrun: bigint;
  /** The price version that held at the admission (M18); null where the model has no price. */
  priceVersion: string | null;
  priceLines: readonly PriceLine[];
  /** The upstream's figures were not believed (M12). */
  usageDisputed: boolean;
  /** Why the answer was not carried to its end by the gateway or the caller; null for an answer that was. */
  abortReason: AbortReason | null;
  /** In the order in which they were made. Only written, not read with a list of calls. */
  attempts: readonly AttemptRecord[];
}

/** Why an answer was given up. */
export type AbortReason =
  | "client_closed"
  | "reader_stalled"
  | "time_limit"
  | "size_limit"
  | "upstream_broke_off"
  | "reservation_used_up"
  | "shutdown"
  | "key_ended"
  | "gateway_fault"
  | "process_died";
