import { canonicalError, type StreamEvent } from "../canonical/index.ts";
import type { StreamDecoder } from "../codec.ts";
import { createFrameDecoder, type StreamFrames } from "../shared/stream-input.ts";
import { AnswerReader } from "./answer-reader.ts";

/**
 * Reads a stream of `GenerateContentResponse` objects, as server-sent events or as one JSON array (S20). There is no end
 * mark: the upstream closes after every candidate had its finish reason; a close before is a cut (3.3).
 */
export function createStreamDecoder(): StreamDecoder {
  return createFrameDecoder(new Frames());
}

class Frames implements StreamFrames {
  readonly #reader = new AnswerReader();

  frame(_event: string | undefined, data: string, emit: (event: StreamEvent) => void): void {
    const text = data.trim();
    // Compatible hosts may add the end mark of another protocol.
    if (text === "" || text === "[DONE]") return;
    this.#reader.chunk(JSON.parse(text), emit);
  }

  whole(body: Parameters<StreamFrames["whole"]>[0], emit: (event: StreamEvent) => void): void {
    this.#reader.chunk(body, emit);
  }

  closed(emit: (event: StreamEvent) => void): void {
    if (this.#reader.isFinished) {
      this.#reader.end(emit);
      return;
    }
    const error = canonicalError(
      "upstream_incomplete",
      "The upstream closed the connection before its answer was complete.",
      {
        code: "stream_incomplete",
      },
    );
    emit({ type: "error", error });
  }
}
