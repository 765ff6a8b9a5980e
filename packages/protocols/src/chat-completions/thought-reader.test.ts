import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalResponse, JsonObject, Part } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { chatDelta, chatStream, gated, utf8 } from "../testing/chat-completions-fixture.ts";
import { decodeResponse } from "./response-decoder.ts";
import { createStreamDecoder } from "./stream-decoder.ts";

type Kind = "tagged" | "open";

const reasoning = (text: string): Part => ({ type: "reasoning", text });
const text = (value: string): Part => ({ type: "text", text: value });

function whole(kind: Kind, content: string, more: JsonObject = {}, finish = "stop"): CanonicalResponse {
  const choice = { index: 0, message: { role: "assistant", content, ...more }, finish_reason: finish };
  return decodeResponse({ id: "c", model: "m", choices: [choice] }, { thoughts: kind });
}

function streamed(kind: Kind, deltas: readonly JsonObject[], finish = "stop"): CanonicalResponse {
  const decoder = createStreamDecoder({ thoughts: kind });
  const chunks = [...deltas.map((delta) => chatDelta(delta)), chatDelta({}, finish), "[DONE]"];
  return accumulate(gated([...decoder.push(utf8(chatStream(...chunks))), ...decoder.close()]));
}

/** The content cut at these places. */
function cut(content: string, places: readonly number[]): JsonObject[] {
  const cuts = [0, ...places.map((place) => place % (content.length + 1)).toSorted((a, b) => a - b), content.length];
  return cuts.slice(1).map((end, at) => ({ content: content.slice(cuts[at], end) }));
}

const partsOf = ({ candidates: [first] }: CanonicalResponse) => first?.parts;

describe("rule 1: thoughts in front of the text are reasoning", () => {
  type Row = [name: string, kind: Kind, content: string, parts: Part[]];
  const rows: Row[] = [
    ["a thought and an answer", "tagged", "<think>Hm.</think>Yes", [reasoning("Hm."), text("Yes")]],
    ["on lines of their own", "tagged", "<think>\nHm.\nSo.\n</think>\n\nYes\n", [reasoning("Hm.\nSo."), text("Yes\n")]],
    ["blanks before the first tag", "tagged", " \n<think>Hm.</think>Yes", [reasoning("Hm."), text("Yes")]],
    [
      "a first line that is indented",
      "tagged",
      "<think>Hm.</think>\n  \n    code",
      [reasoning("Hm."), text("    code")],
    ],
    ["a thought of nothing", "tagged", "<think>\n\n</think>\n\nYes", [text("Yes")]],
    ["a thought without an answer", "tagged", "<think>Hm.</think>\n\n", [reasoning("Hm.")]],
    ["no tag", "tagged", "Yes, 1 < 2", [text("Yes, 1 < 2")]],
    ["blanks and no tag", "tagged", "\n  Yes", [text("\n  Yes")]],
    ["the beginning of a tag and no more", "tagged", "<thin", [text("<thin")]],
    ["a tag that is told of later", "tagged", "Say <think>x</think>", [text("Say <think>x</think>")]],
    ["a second thought", "tagged", "<think>a</think>b<think>c</think>", [reasoning("a"), text("b<think>c</think>")]],
    ["only the last tag", "tagged", "Hm.</think>Yes", [text("Hm.</think>Yes")]],
    ["a thought that is cut off", "tagged", "<think>Hm. </th", [reasoning("Hm. </th")]],
    ["only the last tag, as the prompt has the first", "open", "Hm.\n</think>\nYes", [reasoning("Hm."), text("Yes")]],
    ["both tags all the same", "open", "<think>Hm.</think>Yes", [reasoning("Hm."), text("Yes")]],
    ["a thought that is cut off", "open", "Hm. So", [reasoning("Hm. So")]],
    ["a thought of nothing", "open", "\n</think>\n\nYes", [text("Yes")]],
    ["nothing but blanks", "open", "\n\n", []],
  ];

  test.each(rows)("%s (%s)", (_name, kind, content, parts) => {
    expect(partsOf(whole(kind, content))).toEqual(parts);
    expect(partsOf(streamed(kind, [{ content }]))).toEqual(parts);
  });

  test("L8, L9 a stream is the whole answer, however it is cut", () => {
    const pieces = fc.constantFrom(
      ...["<think>", "</think>", "<", "think", ">", "</", "\n", "\n\n", " ", "    x", "a", "Hm.\n", "b < c", "é🎈"],
    );
    const content = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((each) => each.join(""));
    fc.assert(
      fc.property(
        fc.constantFrom<Kind>("tagged", "open"),
        content,
        fc.array(fc.nat(), { maxLength: 9 }),
        (...given) => {
          const [kind, said, places] = given;
          expect(partsOf(streamed(kind, cut(said, places)))).toEqual(partsOf(whole(kind, said)));
        },
      ),
      { seed: 12, numRuns: 2_000 },
    );
  });

  test("what is thought and what is said is all that was written, less the tags and the blanks around them", () => {
    const word = fc.stringMatching(/^[a-z<>/ \n]{1,20}$/).filter((each) => !each.includes("</think>"));
    fc.assert(
      fc.property(word, word, (thought, answer) => {
        const parts = partsOf(whole("tagged", `<think>${thought}</think>${answer}`)) ?? [];
        const of = (type: string) =>
          parts.map((part) => (part.type === type && "text" in part ? part.text : "")).join("");
        expect(of("reasoning").trim()).toBe(thought.trim());
        expect(of("text").trim()).toBe(answer.trim());
      }),
      { seed: 13 },
    );
  });

  test("a thought that the length limit cut off leaves no text", () => {
    const { candidates } = streamed("tagged", [{ content: "<think>Hm" }, { content: ". So" }], "length");
    expect(candidates).toEqual([{ index: 0, parts: [reasoning("Hm. So")], finish: { reason: "length" } }]);
  });

  test("a call behind a thought, and blanks between them", () => {
    const tool_calls = [{ index: 0, id: "c1", type: "function", function: { name: "f", arguments: "{}" } }];
    const call = { type: "tool-call", callId: "c1", name: "f", toolKind: "function", arguments: "{}" };
    const deltas = [{ content: "<think>Hm.</think>" }, { content: "\n\n" }, { tool_calls }];
    expect(partsOf(streamed("tagged", deltas, "tool_calls"))).toEqual([reasoning("Hm."), call]);
    const said = whole("tagged", "<think>Hm.</think>\n\n", { tool_calls }, "tool_calls");
    expect(partsOf(said)).toEqual([reasoning("Hm."), call]);
  });

  test("a call in front of which a tag may yet come is no reason to lose what was said", () => {
    const tool_calls = [{ index: 0, id: "c1", type: "function", function: { name: "f", arguments: "{}" } }];
    const parts = partsOf(streamed("tagged", [{ content: "<" }, { tool_calls }], "tool_calls"));
    expect(parts?.map(({ type }) => type)).toEqual(["text", "tool-call"]);
  });

  test("a server that tells the thought apart after all is believed", () => {
    const deltas = [{ reasoning_content: "Hm." }, { content: "Yes" }];
    expect(partsOf(streamed("tagged", deltas))).toEqual([reasoning("Hm."), text("Yes")]);
    expect(partsOf(whole("tagged", "Yes", { reasoning_content: "Hm." }))).toEqual([reasoning("Hm."), text("Yes")]);
  });

  test("each of several answers has thoughts of its own (S32)", () => {
    const at = (index: number, content: string) => ({ ...chatDelta({}), choices: [{ index, delta: { content } }] });
    const finish = (index: number) => ({ ...chatDelta({}), choices: [{ index, delta: {}, finish_reason: "stop" }] });
    const chunks = [at(0, "<think>a"), at(1, "<think>b</thi"), at(0, "</think>A"), at(1, "nk>B"), finish(0), finish(1)];
    const decoder = createStreamDecoder({ thoughts: "tagged" });
    const events = [...decoder.push(utf8(chatStream(...chunks, "[DONE]"))), ...decoder.close()];
    expect(accumulate(gated(events)).candidates.map(({ parts }) => parts)).toEqual([
      [reasoning("a"), text("A")],
      [reasoning("b"), text("B")],
    ]);
  });

  test("log probabilities are those of the answer's tokens", () => {
    const tokens = ["<think>", "Hm", "</", "think>", "\n\n", "Y", "es"].map((token) => ({ token, logprob: -1 }));
    const expected = { type: "text", text: "Yes", logprobs: [tokens[5], tokens[6]] };
    const choice = {
      index: 0,
      message: { content: tokens.map(({ token }) => token).join("") },
      logprobs: { content: tokens },
      finish_reason: "stop",
    };
    const answer = decodeResponse({ id: "c", choices: [choice] }, { thoughts: "tagged" });
    expect(answer.candidates[0]?.parts.at(-1)).toMatchObject({ type: "text", text: "Yes" });
    const decoder = createStreamDecoder({ thoughts: "tagged" });
    const chunks = tokens.map((token) => ({
      ...chatDelta({}),
      choices: [{ index: 0, delta: { content: token.token }, logprobs: { content: [token] } }],
    }));
    const events = [...decoder.push(utf8(chatStream(...chunks, chatDelta({}, "stop"), "[DONE]"))), ...decoder.close()];
    const stream = accumulate(gated(events)).candidates[0]?.parts.at(-1);
    expect(stream).toEqual(answer.candidates[0]?.parts.at(-1));
    expect(stream).toEqual(expected);
  });
});
