import type { CanonicalError, Usage } from "@interlingua/protocols";

/** What a read from the upstream means for the caller. */
export interface AnswerStep {
  /** To write now; may be empty. */
  text: string | Buffer;
  /** Set once, when the answer is over: to be written only when the call record is durable (M1). */
  final?: {
    text: string | Buffer;
    error?: CanonicalError;
    /** What was thrown, where the error is a defect of ours. */
    cause?: unknown;
  };
}

/**
 * A streaming answer on its way to the caller, whichever the lane. One per call. `StreamConversion` of the protocols
 * package is one; the direct lane's relays are the others. Never throws.
 */
export interface AnswerStream {
  push(bytes: Uint8Array): AnswerStep;
  close(): AnswerStep;
  /** The gateway ends the answer: the caller's error frames. */
  fail(error: CanonicalError): string;
  /** A keep-alive that is lawful between the frames written so far. */
  ping(): string;
  readonly usage: Usage | undefined;
  /** Whether any content has been handed on. */
  readonly hasContent: boolean;
  /** Whether the upstream has said why its answer ended, and the last frames wait for its end mark or its close. */
  readonly isFinished: boolean;
}
