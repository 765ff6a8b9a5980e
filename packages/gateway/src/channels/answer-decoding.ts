import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

type Coding = "gzip" | "br" | "deflate" | "zstd";

/** Where the decoded bytes go. */
export interface DecodedSink {
  data(chunk: Buffer): void;
  end(): void;
  /** The bytes are no such coding, or unpack to more than is allowed. */
  fail(reason: "broken" | "too-large"): void;
}

/** Takes the bytes as they came. */
export interface AnswerDecoding {
  data(chunk: Buffer): void;
  end(): void;
  destroy(): void;
}

/** Whether an answer's bytes must be decoded: gateways ask for identity, but some hosts compress all the same (S29). */
export function codingOf(header: string | undefined): "identity" | Coding | "identity" | "unknown" {
  switch ((header ?? "").trim().toLowerCase()) {
    case "":
    case "identity":
      return "identity";
    case "gzip":
    case "x-gzip":
      return "gzip";
    case "br":
      return "br";
    case "deflate":
      return "deflate";
    case "zstd":
      return "zstd";
    default:
      return "unknown";
  }
}

function createDecoder(coding: Coding) {
  switch (coding) {
    case "gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return createInflate();
    case "zstd":
      return createZstdDecompress();
  }
}

/** Decodes one coding, up to `maximum` bytes and 100 times what came in (R10). */
export function createAnswerDecoding(coding: Coding, maximum: number, sink: DecodedSink): AnswerDecoding {
  const stream = createDecoder(coding);
  let read = 0;
  let written = 0;
  stream.on("data", (chunk: Buffer) => {
    written += chunk.length;
    if (written > maximum || written > Math.max(1_048_576, read * 100)) {
      stream.destroy();
      sink.fail("too-large");
      return;
    }
    sink.data(chunk);
  });
  stream.on("end", () => sink.end());
  stream.on("error", () => sink.fail("broken"));
  return {
    data(chunk) {
      read += chunk.length;
      stream.write(chunk);
    },
    end: () => stream.end(),
    destroy: () => stream.destroy(),
  };
}
