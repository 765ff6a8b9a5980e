import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalResponse, JsonObject, Part, ProtocolName } from "../canonical/index.ts";
import { stripFence } from "../shared/custom-tools.ts";
import { plainVault } from "../shared/vault.ts";
import { visibleText } from "../testing/arbitraries.ts";
import { carry, gated, readStream, runStream, utf8, wireAnswer, wireFrames } from "../testing/carrying.ts";
import { callsOf, pairs } from "../testing/protocol-sides.ts";

const seed = 30;
const stop = "END";
const freeText = "patch";

/** Bodies that make the gateway undo something in the answer: free-text tools, stop sequences, JSON asked for in words. */
const wishes: Record<ProtocolName, JsonObject> = {
  "chat-completions": {
    stop: [stop],
    tools: [
      { type: "custom", custom: { name: freeText } },
      { type: "function", function: { name: "read.file/now", parameters: { type: "object", properties: {} } } },
    ],
  },
  responses: {
    text: { format: { type: "json_object" } },
    tools: [
      { type: "custom", name: freeText },
      { type: "function", name: "read.file/now", parameters: { type: "object", properties: {} }, strict: false },
    ],
  },
  messages: {
    stop_sequences: [stop],
    output_config: { format: { type: "json_schema", schema: { type: "object", properties: {} } } },
  },
  "generate-content": {
    generationConfig: { stopSequences: [stop], thinkingConfig: { includeThoughts: true } },
    tools: [{ functionDeclarations: [{ name: "read" }] }],
  },
};

const text = fc.oneof(
  visibleText(),
  fc.constantFrom("before END behind", "EN", "ENEND", "END", '```json\n{"a":1}\n```', '{"a":1}', 'Here: {"a":1} END'),
);

function visible(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

describe("L8, L30 what the gateway undoes in an answer it undoes alike in a stream, however that is cut", () => {
  for (const { name, client, upstream } of pairs()) {
    test(name, () => {
      let restored = 0;
      fc.assert(
        fc.property(
          text,
          fc.option(visibleText()),
          fc.constantFrom(...upstream.models),
          fc.integer({ min: 1, max: 9 }),
          (said, input, model, size) => {
            const body = (stream: boolean) => ({ ...client.body(1, stream), ...wishes[client.name] });
            const whole = carry(client, upstream, body(false), { model });
            const offered = upstream.codec.decodeRequest(
              whole.upstreamBody,
              { model: "m" },
              { vault: plainVault() },
            ).tools;
            const wire = offered.find((tool) => tool.type !== "server" && tool.name.startsWith(freeText));
            const calls = wire && input !== null ? [call(freeText, input, wire.type === "custom")] : [];
            const answer: CanonicalResponse = {
              id: "r",
              model: "m",
              candidates: [
                {
                  index: 0,
                  parts: [{ type: "text", text: said }, ...calls],
                  finish: { reason: calls.length > 0 ? "tool" : "stop" },
                },
              ],
              usage: { input: { uncached: 1 }, output: { total: 1 } },
            };
            const unary = client.codec.decodeResponse(whole.convertResponse(wireAnswer(upstream, answer)).body);
            const stream = carry(client, upstream, body(true), { model, stream: true }).createStream();
            const carried = runStream(stream, wireFrames(upstream, answer, size).map(utf8));
            expect(client.verdict(carried.text, 1)).toBe("good");
            const streamed = readStream(client.codec, carried.text);
            const [one, other] = [unary.candidates[0], streamed.candidates[0]];
            expect(visible(other?.parts ?? [])).toBe(visible(one?.parts ?? []));
            expect(other?.finish).toEqual(one?.finish);
            const got = callsOf(one?.parts ?? []);
            expect(callsOf(other?.parts ?? []).map(essence)).toEqual(got.map(essence));

            const asked = client.codec.decodeRequest(body(false), client.envelope, { vault: plainVault() });
            const { plan } = upstream.codec.encodeRequest(asked, { model, stream: false });
            if (plan.stopSequences.includes(stop) && said.includes(stop)) {
              restored += 1;
              expect(visible(one?.parts ?? [])).toBe(said.slice(0, said.indexOf(stop)));
            } else if (calls.length > 0) {
              restored += 1;
              expect(got.map(essence)).toEqual([
                {
                  name: freeText,
                  toolKind: "custom",
                  input: wire?.type === "custom" ? input : stripFence(input ?? ""),
                },
              ]);
            }
          },
        ),
        { numRuns: 60, seed },
      );
      const hasFreeText = client.name === "chat-completions" || client.name === "responses";
      const isWatched = upstream.name === "responses" && client.name !== "responses";
      if (hasFreeText || isWatched) expect(restored).toBeGreaterThan(5);
    });
  }
});

describe("an answer that breaks off shows the text that only waited for a stop sequence", () => {
  for (const { name, client, upstream } of pairs("crossing")) {
    if (upstream.name !== "responses") continue;
    test(name, () => {
      const body = { ...client.body(1, true), ...wishes[client.name] };
      const parts: Part[] = [{ type: "text", text: "almost EN" }];
      const frames = wireFrames(upstream, {
        id: "r",
        model: "m",
        candidates: [{ index: 0, parts, finish: { reason: "stop" } }],
      });
      const end = frames.findIndex((frame) => frame.startsWith("event: response.output_text.done"));
      const stream = carry(client, upstream, body, { model: "gpt-5.6", stream: true }).createStream();
      const { text: shown, ended } = runStream(stream, frames.slice(0, end).map(utf8));
      expect(ended).toBe("error");
      const told = gated(client.codec, shown).flatMap((event) =>
        event.type === "part-delta" && event.delta.type === "text" ? [event.delta.text] : [],
      );
      expect(told.join("")).toBe("almost EN");
    });
  }
});

function call(name: string, input: string, isCustom: boolean): Part {
  const raw = isCustom ? input : JSON.stringify({ input });
  return { type: "tool-call", callId: "call_1", name, toolKind: isCustom ? "custom" : "function", arguments: raw };
}

function essence({ name, toolKind, arguments: raw }: { name: string; toolKind: string; arguments: string }) {
  return { name, toolKind, input: raw };
}
