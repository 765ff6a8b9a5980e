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
}
