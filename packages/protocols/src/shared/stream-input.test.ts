import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type JsonValue, ProtocolError, type StreamEvent } from "../canonical/index.ts";
import { createFrameDecoder, type StreamFrames } from "./stream-input.ts";

const encoder = new TextEncoder();

interface Heard {
  frames: [event: string | undefined, data: string][];
  wholes: JsonValue[];
  closed: number;
  events: StreamEvent[];
}

/** Feeds a stream, cut in pieces, to frames that write down what they hear. */
function hear(text: string, size = text.length || 1, own: Partial<StreamFrames> = {}): Heard {
  const heard: Heard = { frames: [], wholes: [], closed: 0, events: [] };
  const decoder = createFrameDecoder({
    frame(event, data, emit) {
      heard.frames.push([event, data]);
      own.frame?.(event, data, emit);
    },
    whole(body, emit) {
      heard.wholes.push(body);
      own.whole?.(body, emit);
    },
    closed(emit) {
      heard.closed += 1;
      own.closed?.(emit);
    },
  });
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) heard.events.push(...decoder.push(bytes.subarray(at, at + size)));
  heard.events.push(...decoder.close(), ...decoder.close(), ...decoder.push(encoder.encode("data: late\n\n")));
  return heard;
}

function errorOf(heard: Heard): string | undefined {
  const errors = heard.events.filter((event) => event.type === "error");
  expect(errors.length).toBeLessThan(2);
  return errors[0]?.error.code;
}

describe.each([1, 2, 7, 100_000])("in pieces of %i bytes", (size) => {
  test("server-sent events are frames, also behind blank lines, comments and a byte order mark", () => {
    const heard = hear("\ufeff\n: hello\nevent: a\ndata: {}\n\ndata: [DONE]", size);
    expect(heard.frames).toEqual([
      ["a", "{}"],
      [undefined, "[DONE]"],
    ]);
    expect(heard.closed).toBe(1);
  });

  test("a bare object is a whole answer", () => {
    const heard = hear(' {"a":"}\\"{","b":[{}]}\n', size);
    expect(heard.wholes).toEqual([{ a: '}"{', b: [{}] }]);
    expect(heard.frames).toEqual([]);
    expect(heard.closed).toBe(1);
  });

  test("lines of JSON are frames", () => {
    const heard = hear('{"a":1}\n{"b":"ä🙂"}\r\n{"c":3}', size);
    expect(heard.frames.map(([, data]) => JSON.parse(data))).toEqual([{ a: 1 }, { b: "ä🙂" }, { c: 3 }]);
    expect(heard.wholes).toEqual([]);
  });

  test("S20 elements of an array are whole bodies, each as soon as it is there", () => {
    expect(hear('[{"a":1},\n{"b":[1,{"c":2}]}\n]', size).wholes).toEqual([{ a: 1 }, { b: [1, { c: 2 }] }]);
    expect(hear('[{"a":1},\n{"b', size).wholes).toEqual([{ a: 1 }]);
  });

  test("S25 a cut inside an object is an incomplete stream", () => {
    for (const text of ['{"a":1', '[{"a":1},{"b"', '{"a":1}\n{"b']) {
      const heard = hear(text, size);
      expect(errorOf(heard)).toBe("stream_incomplete");
      expect(heard.closed).toBe(0);
    }
  });

  test("L12 an array cut behind an element is judged by the protocol, which knows the terminal mark", () => {
    const heard = hear('[{"a":1},', size);
    expect(errorOf(heard)).toBeUndefined();
    expect(heard.closed).toBe(1);
  });

  test("S24 a web page is an error", () => {
    expect(errorOf(hear("<!DOCTYPE html><h1>502</h1>", size))).toBe("upstream_bad_response");
  });

  test("something between JSON objects is an error", () => {
    expect(errorOf(hear('{"a":1} nonsense', size))).toBe("upstream_bad_response");
  });
});

test("after end nothing is heard any more, also not the close", () => {
  const heard = hear("data: 1\n\ndata: 2\n\n", 3, { frame: (_event, _data, emit) => emit({ type: "end" }) });
  expect(heard.frames).toHaveLength(1);
  expect(heard.closed).toBe(0);
  expect(heard.events).toEqual([{ type: "end" }]);
});

test("L13 an error is told once, and a protocol's own error is kept", () => {
  const own = canonicalError("rate_limit", "slower");
  const heard = hear("data: 1\n\ndata: 2\n\n", 3, {
    frame: () => {
      throw new ProtocolError(own);
    },
  });
  expect(heard.events).toEqual([{ type: "error", error: own }]);
  expect(heard.frames).toHaveLength(1);
});

test("an exception on bad JSON does not show the upstream's bytes", () => {
  const heard = hear('data: {"secret-token\n\n', 100, { frame: (_event, data) => JSON.parse(data) });
  expect(errorOf(heard)).toBe("upstream_bad_response");
  expect(JSON.stringify(heard.events)).not.toContain("secret");
});

test("R9 an endless object is an error", () => {
  const decoder = createFrameDecoder({ frame() {}, whole() {}, closed() {} });
  const piece = encoder.encode("x".repeat(1024 * 1024));
  decoder.push(encoder.encode('{"a":"'));
  const events: StreamEvent[] = [];
  for (let i = 0; i < 20; i += 1) events.push(...decoder.push(piece));
  expect(events).toMatchObject([{ type: "error", error: { code: "upstream_response_too_large" } }]);
});

test("any bytes: never an exception, at most one error", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 30 })),
      fc.constantFrom("", "{", "[{", "data: ", "<"),
      (chunks, head) => {
        const decoder = createFrameDecoder({
          frame: (_event, data) => JSON.parse(data),
          whole() {},
          closed: (emit) => emit({ type: "end" }),
        });
        const events = [encoder.encode(head), ...chunks].flatMap((chunk) => decoder.push(chunk));
        events.push(...decoder.close());
        expect(events).toHaveLength(1);
      },
    ),
  );
});
