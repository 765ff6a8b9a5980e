import type { CanonicalError, ProtocolCodec } from "@interlingua/protocols";
import { endMarks, finishFrames } from "./end-mark.ts";

/**
 * Watches the frames of the direct lane for the reasons why answers ended. They may be all that comes: some upstreams never
 * send an end mark, and do not close either (S10). One per stream.
 */
export class FinishWatch {
  readonly #codec: ProtocolCodec;
  readonly #tellsFinish: boolean;
  readonly #answers: number;
  readonly #finished = new Set<number>();
  #failure: CanonicalError | undefined;

  /** `answers`: how many the caller asked for. */
  constructor(codec: ProtocolCodec, answers: number) {
    this.#codec = codec;
    this.#tellsFinish = endMarks[codec.name].tellsFinish ?? false;
    this.#answers = answers;
  }

  /** Whether every answer has ended, or one of them by a failure. */
  get isDone(): boolean {
    return this.#failure !== undefined || this.#finished.size >= this.#answers;
  }

  /** The error that a reason stands for. */
  get failure(): CanonicalError | undefined {
    return this.#failure;
  }

  /** Whole frames. Only those that name a reason are read. */
  see(piece: Buffer): void {
    if (!this.#tellsFinish) return;
    for (const frame of finishFrames(piece)) {
      for (const event of this.#codec.createStreamDecoder().push(frame)) {
        if (event.type === "finish") this.#finished.add(event.candidate);
        if (event.type === "error") this.#failure ??= event.error;
      }
    }
  }
}
