import { describe, expect, it } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { chatDelta, chatStream, decodeStream, gated, utf8 } from "../testing/chat-completions-fixture.ts";
import { done, errorOf, fragment, parts, read, role, toolEnd } from "../testing/chat-completions-stream-fixture.ts";
import { createStreamDecoder } from "./stream-decoder.ts";

function call(callId: string, name: string, args: string) {
  return { type: "tool-call", callId, name, toolKind: "function", arguments: args };
}

describe("tool calls", () => {
  it("S1 a whole call in one chunk keeps its arguments", () => {
    expect(parts(role, fragment(0, { id: "c1", name: "Bash", args: '{"command":"ls"}' }), toolEnd, done)).toEqual([
      call("c1", "Bash", '{"command":"ls"}'),
    ]);
  });

  it("S2 interleaved parallel calls are sorted, and the first goes out at once", () => {
    const chunks = [
      role,
      fragment(0, { id: "a", name: "f", args: '{"a"' }),
      fragment(1, { id: "b", name: "g", args: '{"b"' }),
      fragment(0, { args: ":1}" }),
      fragment(1, { args: ":2}" }),
      toolEnd,
      done,
    ];
    expect(parts(...chunks)).toEqual([call("a", "f", '{"a":1}'), call("b", "g", '{"b":2}')]);
    const early = gated(decodeStream([utf8(chatStream(...chunks.slice(0, 2)))]).slice(0, -1));
    expect(early.some((event) => event.type === "part-delta" && event.delta.type === "arguments")).toBe(true);
  });

  it("S2 text that arrives behind a whole call does not wait for the end", () => {
    const events = decodeStream([
      utf8(chatStream(role, fragment(0, { id: "a", name: "f", args: "{}" }), chatDelta({ content: "x" }))),
    ]);
    const stop = events.findIndex((event) => event.type === "part-stop");
    const text = events.findIndex((event) => event.type === "part-start" && event.part.type === "text");
    expect(stop).toBeGreaterThan(0);
    expect(text).toBeGreaterThan(stop);
  });

  it("S2 a call whose text is not complete stays open behind later text", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: '{"a"' }),
      chatDelta({ content: "x" }),
      fragment(0, { args: ":1}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", '{"a":1}'), { type: "text", text: "x" }]);
  });

  it("S3 calls without index are told apart by id", () => {
    const got = parts(
      role,
      fragment(undefined, { id: "a", name: "f", args: "{" }),
      fragment(undefined, { id: "a", args: "}" }),
      fragment(undefined, { id: "b", name: "g", args: "{}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", "{}"), call("b", "g", "{}")]);
  });

  it("S3 calls with neither index nor id are told apart by name, and get ids", () => {
    const got = parts(
      role,
      fragment(undefined, { name: "f", args: "{}" }),
      fragment(undefined, { name: "f", args: '{"x":1}' }),
      toolEnd,
      done,
    );
    const ids = got?.map((part) => (part.type === "tool-call" ? part.callId : ""));
    expect(got).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(ids?.every((id) => /^call_[0-9a-f]{22}$/.test(id))).toBe(true);
  });

  it("S4 a new id on a known index is a new call", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "read", args: '{"p":1}' }),
      fragment(0, { id: "b", name: "read", args: '{"p":2}' }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "read", '{"p":1}'), call("b", "read", '{"p":2}')]);
  });

  it("S5 a tail under an unknown index goes to the one call that is not complete", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: "{}" }),
      fragment(0, { id: "b", name: "g", args: '{"x"' }),
      fragment(1, { args: ":1}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", "{}"), call("b", "g", '{"x":1}')]);
  });

  it("S5 a piece that belongs to no call is an error, not a guess", () => {
    expect(errorOf(read(role, fragment(3, { args: "{}" }), toolEnd, done))?.kind).toBe("upstream_bad");
  });

  it("S6 a late name holds the call back, an empty one counts as none", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "", args: '{"x"' }),
      fragment(0, { args: ":1" }),
      fragment(0, { name: "bash", args: "}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "bash", '{"x":1}')]);
  });

  it("S6 a call that never gets a name is an error", () => {
    expect(errorOf(read(role, fragment(0, { id: "a", args: "{}" }), toolEnd, done))?.kind).toBe("upstream_bad");
  });

  describe("S6 a name that comes in pieces", () => {
    const offered = new Set(["bash", "bash_output", "web-search"]);
    const offering = (...chunks: (JsonObject | string)[]) => {
      const decoder = createStreamDecoder({ toolNames: offered });
      return accumulate(gated([...decoder.push(utf8(chatStream(...chunks))), ...decoder.close()])).candidates[0]?.parts;
    };
    const text = { type: "text", text: "x" };

    it.each([
      ["in two", [fragment(0, { id: "a", name: "ba", args: "" }), fragment(0, { name: "sh", args: "{}" })]],
      [
        "in four, before the arguments",
        [
          fragment(0, { id: "a", name: "b" }),
          fragment(0, { name: "a", args: "" }),
          fragment(0, { id: null, name: "s" }),
          fragment(0, { name: "h" }),
          fragment(0, { args: "{}" }),
        ],
      ],
      [
        "beside the arguments' pieces",
        [fragment(0, { id: "a", name: "ba", args: "{" }), fragment(0, { name: "sh", args: "}" })],
      ],
      [
        "without an index",
        [fragment(undefined, { id: "a", name: "ba" }), fragment(undefined, { name: "sh", args: "{}" })],
      ],
    ])("is the tool that was offered: %s", (_how, chunks) => {
      expect(offering(role, ...chunks, toolEnd, done)).toEqual([call("a", "bash", "{}")]);
    });

    it("without an id either gets one", () => {
      expect(offering(fragment(0, { name: "ba" }), fragment(0, { name: "sh", args: "{}" }), toolEnd, done)).toEqual([
        call(expect.stringMatching(/^call_/), "bash", "{}"),
      ]);
    });

    it.each([
      ["the first is a tool already", ["bash", "_output"], "bash"],
      ["it is told again in every piece", ["bash", "bash"], "bash"],
      ["both are no tool together", ["ba", "x"], "ba"],
      ["it is no tool's beginning", ["read", "bash"], "read"],
      ["nothing follows", ["ba"], "ba"],
    ])("is not put together where %s", (_why, names, name) => {
      const [first, ...later] = names.map((each, at) => fragment(0, { ...(at === 0 ? { id: "a" } : {}), name: each }));
      expect(offering(...(first ? [first] : []), ...later, fragment(0, { args: "{}" }), toolEnd, done)).toEqual([
        call("a", name, "{}"),
      ]);
    });

    it("a piece with an id of its own is another call", () => {
      expect(
        offering(
          fragment(0, { id: "a", name: "ba", args: "{}" }),
          fragment(0, { id: "b", name: "sh", args: "{}" }),
          toolEnd,
          done,
        ),
      ).toEqual([call("a", "ba", "{}"), call("b", "sh", "{}")]);
    });

    it("does not wait behind what comes after it", () => {
      const half = fragment(0, { id: "a", name: "ba", args: "{}" });
      expect(offering(half, chatDelta({ content: "x" }), toolEnd, done)).toEqual([call("a", "ba", "{}"), text]);
      expect(offering(half, fragment(1, { id: "b", name: "bash", args: "{}" }), toolEnd, done)).toEqual([
        call("a", "ba", "{}"),
        call("b", "bash", "{}"),
      ]);
    });

    it("is not looked for where no tools are known", () => {
      const chunks = [fragment(0, { id: "a", name: "ba" }), fragment(0, { name: "sh", args: "{}" })];
      expect(parts(...chunks, toolEnd, done)).toEqual([call("a", "ba", "{}")]);
    });
  });

  it("S4 without ids, a name behind a whole call is a new call, and one that is only said again is none", () => {
    const minted = (name: string, args: string) => call(expect.stringMatching(/^call_/), name, args);
    const first = fragment(0, { name: "f", args: '{"a":1}' });
    expect(parts(first, fragment(0, { name: "f", args: '{"a":2}' }), toolEnd, done)).toEqual([
      minted("f", '{"a":1}'),
      minted("f", '{"a":2}'),
    ]);
    expect(parts(first, fragment(0, { name: "g" }), fragment(0, { args: "{}" }), toolEnd, done)).toEqual([
      minted("f", '{"a":1}'),
      minted("g", "{}"),
    ]);
    expect(parts(first, fragment(0, { name: "f", args: "" }), toolEnd, done)).toEqual([minted("f", '{"a":1}')]);
  });

  it("S7 nulls in later fragments count as absent", () => {
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: "{" }),
      fragment(0, { id: null, name: null, args: "}" }),
      toolEnd,
      done,
    );
    expect(got).toEqual([call("a", "f", "{}")]);
  });

  it("S35 a call without any argument text has empty arguments", () => {
    expect(parts(role, fragment(0, { id: "a", name: "f" }), toolEnd, done)).toEqual([call("a", "f", "{}")]);
  });

  it("the old function_call form becomes a call", () => {
    const got = parts(
      role,
      chatDelta({ function_call: { name: "f", arguments: "{" } }),
      chatDelta({ function_call: { arguments: "}" } }),
      chatDelta({}, "function_call"),
      done,
    );
    expect(got).toEqual([{ ...call("", "f", "{}"), callId: expect.stringMatching(/^call_/) }]);
  });

  it("a custom call keeps its raw text", () => {
    const opened = { index: 0, id: "a", type: "custom", custom: { name: "patch", input: "*** " } };
    const got = parts(
      role,
      chatDelta({ tool_calls: [opened] }),
      chatDelta({ tool_calls: [{ index: 0, custom: { input: "Begin" } }] }),
      toolEnd,
      done,
    );
    expect(got).toEqual([{ ...call("a", "patch", "*** Begin"), toolKind: "custom" }]);
  });

  it("a thought signature that comes behind its call is kept", () => {
    const late = { index: 0, extra_content: { google: { thought_signature: "c2ln" } } };
    const got = parts(
      role,
      fragment(0, { id: "a", name: "f", args: "{}" }),
      chatDelta({ tool_calls: [late] }),
      toolEnd,
      done,
    );
    expect(got).toEqual([{ ...call("a", "f", "{}"), proof: { family: "gemini", kind: "signature", value: "c2ln" } }]);
  });
});
