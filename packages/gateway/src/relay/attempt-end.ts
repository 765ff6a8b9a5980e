import type { CanonicalError, UpstreamFailure } from "@interlingua/protocols";
import type { ChannelFailure } from "../channels/channel-health.ts";

/** An upstream's own error answer, to be handed on as it is: same protocol on both sides. */
interface UpstreamAnswerBody {
  status: number;
  bytes: Buffer;
}

/** How one try of one channel ended. */
export type AttemptEnd =
  /** The caller has what there is to have and the call is recorded. */
  | { kind: "done" }
  /** The caller left before anything was written. */
  | { kind: "gone" }
  /** Shut down before anything was written. */
  | { kind: "cut"; error: CanonicalError }
  /** Nothing was written: another channel may serve the call. */
  | {
      kind: "failed";
      error: CanonicalError;
      /** Absent: the request is at fault, not the channel. */
      failure?: ChannelFailure;
      /** `reset`: the connection broke before an answer; the same channel may be tried again over a fresh one. */
      retry: "next-channel" | "reset" | "no";
      /** The upstream refused the request as it was written. */
      refusal?: UpstreamFailure;
      /** Hand this on instead of our own rendering. */
      passThrough?: UpstreamAnswerBody;
    };

/** The part of an attempt that takes the bytes of a good answer. */
export interface AnswerLane {
  data(chunk: Buffer): void;
  end(): void;
  /** The upstream or the gateway broke off. */
  fail(error: CanonicalError, outcome: "upstream_incomplete" | "drained"): void;
  gone(): void;
}
