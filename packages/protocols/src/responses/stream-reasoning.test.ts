import { describe, expect, test } from "vitest";
import { end, start, text, thought } from "../testing/responses-events-fixture.ts";
import { answerContext, encodeStream } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";

describe("reasoning in a responses stream", () => {
  test("2.5 a foreign signature is sealed into the reasoning item and comes back whole", () => {
    const context = answerContext();
    const { items } = checkStream(
      encodeStream([start, ...thought("r", ["Hm."], "SECRET-SIG"), ...text("t", "x"), ...end], context),
    );
    const [item] = items;
    expect(item).toMatchObject({ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] });
    const sealed = item?.encrypted_content;
    expect(sealed).not.toContain("SECRET-SIG");
    expect(typeof sealed === "string" && context.vault.open(sealed)).toEqual({
      family: "anthropic",
      kind: "signature",
      value: "SECRET-SIG",
    });
  });

  test("pair 6 a signed call has its proof in a reasoning item directly before it, a signed text behind it", () => {
    const signature = { family: "gemini", kind: "signature", value: "sig" } as const;
    const head = { type: "tool-call", callId: "c", name: "f", toolKind: "function", proof: signature } as const;
    const { items } = checkStream(
      encodeStream([
        start,
        { type: "part-start", candidate: 0, key: "t", part: { type: "text" } },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "text", text: "x" } },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "proof", proof: signature } },
        { type: "part-stop", candidate: 0, key: "t" },
        { type: "part-start", candidate: 0, key: "c", part: head },
        { type: "part-stop", candidate: 0, key: "c" },
        ...end,
      ]),
    );
    expect(items.map((item) => item.type)).toEqual(["message", "reasoning", "reasoning", "function_call"]);
    expect(items[2]).toMatchObject({ summary: [] });
  });

  test("an own proof that belongs to another item id is sealed with that id", () => {
    const context = answerContext();
    const own = { family: "openai", kind: "encrypted", value: "gAAA", itemId: "rs_up" } as const;
    const { items } = checkStream(
      encodeStream(
        [
          start,
          { type: "part-start", candidate: 0, key: "r", part: { type: "reasoning" } },
          { type: "part-delta", candidate: 0, key: "r", delta: { type: "proof", proof: own } },
          { type: "part-stop", candidate: 0, key: "r" },
          ...text("t", "x"),
          ...end,
        ],
        context,
      ),
    );
    const sealed = items[0]?.encrypted_content;
    expect(typeof sealed === "string" && context.vault.open(sealed)).toEqual(own);
  });
});
