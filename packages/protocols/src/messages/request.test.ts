import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalRequest, JsonObject, JsonValue, Part, ReasoningControl } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { documentPart, imagePart, proof, reasoningPart, request } from "../testing/arbitraries.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

const vault = plainVault();
const newest = "claude-sonnet-5";

function withoutPlaces(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item) => (key === "at" && typeof item === "string" ? undefined : item)),
  );
}

describe("L1 decode of encode gives the same request", () => {
  const reasoning: fc.Arbitrary<ReasoningControl> = fc.constantFrom<ReasoningControl>(
    { adaptive: true },
    { adaptive: true, effort: "xhigh" },
    { effort: "low" },
    { effort: "none" },
    { adaptive: true, show: "summary" },
  );
  const requests = request({
    conversation: {
      system: ["system"],
      user: fc.oneof(
        imagePart(["base64", "url", "file"], "anthropic"),
        documentPart(["base64", "url", "file", "text"], "anthropic"),
      ),
      reasoning: fc.oneof(
        reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
        proof("anthropic", "redacted").map((value): Part => ({ type: "reasoning", proof: value })),
      ),
      resultErrors: true,
      resultMedia: imagePart(["base64"], "anthropic"),
    },
    stopSequences: 3,
    reasoning,
    maxOutputTokensRequired: true,
    toolChoices: ["none"],
    parallelToolCalls: true,
    more: fc.constantFrom({}, { caller: { userId: "user_1" } }, { serviceTier: "standard_only" }),
  });
  test("for the newest models", () => {
    fc.assert(
      fc.property(requests, (drawn) => {
        if (drawn.tools.length === 0) delete drawn.parallelToolCalls;
        if (drawn.toolChoice?.mode === "none") delete drawn.parallelToolCalls;
        const { body, notices } = encodeRequest(drawn, { model: newest, stream: drawn.stream });
        expect(notices).toEqual([]);
        const back = decodeRequest(JSON.parse(JSON.stringify(body)), {}, { vault });
        expect(joined(withoutPlaces({ ...back, model: drawn.model }))).toEqual(joined(drawn));
      }),
    );
  });

  test("tool choices, strict tools and free sampling", () => {
    const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
    const chosen = request({
      conversation: { system: ["system"] },
      sampling: ["topK"],
      formats: ["schema"],
      maxOutputTokensRequired: true,
      toolChoices: ["none", "required", "tool"],
      more: fc.constantFrom({}, { sampling: { temperature: 0.3 } }, { sampling: { topP: 0.97, topK: 3 } }),
    });
    fc.assert(
      fc.property(chosen, (drawn) => {
        drawn.maxOutputTokens = Math.min(drawn.maxOutputTokens ?? 0, 64_000);
        if (drawn.format) drawn.format = { type: "schema", schema: closed };
        for (const tool of drawn.tools)
          if (tool.type === "function") Object.assign(tool, { parameters: closed, strict: true });
        const { body, notices } = encodeRequest(drawn, { model: "claude-sonnet-4-5", stream: drawn.stream });
        expect(notices).toEqual([]);
        const back = decodeRequest(JSON.parse(JSON.stringify(body)), {}, { vault });
        expect(joined(withoutPlaces({ ...back, model: drawn.model }))).toEqual(joined(drawn));
      }),
    );
  });

  test("L6 the same request gives the same bytes", () => {
    fc.assert(
      fc.property(requests, (drawn) => {
        const once = JSON.stringify(encodeRequest(drawn, { model: newest, stream: false }));
        expect(JSON.stringify(encodeRequest(structuredClone(drawn), { model: newest, stream: false }))).toBe(once);
      }),
    );
  });
});

/** The normal form: leading system turns are one turn. */
function joined(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.turns)) return value;
  const isSystem = (turn: JsonValue): boolean => isObject(turn) && turn.role === "system";
  const parts = value.turns
    .filter(isSystem)
    .flatMap((turn) => (isObject(turn) && Array.isArray(turn.parts) ? turn.parts : []));
  const rest = value.turns.filter((turn) => !isSystem(turn));
  return { ...value, turns: parts.length > 0 ? [{ role: "system", parts }, ...rest] : rest };
}

describeRecorded("L2 a recorded request comes out as it went in", () => {
  const recorded = recordings("messages").flatMap((one) =>
    one.request && one.status === 200 ? [[one.id, one.request] as const] : [],
  );
  test("there are some", () => expect(recorded.length).toBeGreaterThan(60));
  test.each(recorded)("%s", (_id, body) => {
    if (typeof body.model !== "string") throw new Error("No model.");
    const decoded = decodeRequest(body, {}, { vault });
    const encoded = encodeRequest(decoded, { model: body.model, stream: decoded.stream });
    expect(encoded.notices).toEqual([]);
    expect(normal(encoded.body)).toEqual(normal(body, decoded));
  });
});

/** A string is one text block; defaults are absent; the older spelling of the format is the newer one. */
function normal(body: JsonObject, decoded?: CanonicalRequest): JsonObject {
  const { output_format, output_config, cache_control, top_p, thinking, ...rest } = structuredClone(body);
  const kept: JsonObject = { ...rest };
  const config = { ...(isObject(output_config) ? output_config : {}) };
  const format = config.format ?? output_format;
  if (isObject(format)) config.format = format;
  if (Object.keys(config).length > 0) kept.output_config = config;
  if (isObject(thinking) && thinking.type !== "disabled") kept.thinking = thinking;
  if (isObject(kept.tool_choice) && kept.tool_choice.type === "auto" && Object.keys(kept.tool_choice).length === 1)
    delete kept.tool_choice;
  if (kept.stream === false) delete kept.stream;
  if (typeof kept.system === "string") kept.system = [{ type: "text", text: kept.system }];
  if (Array.isArray(kept.system) && kept.system.length === 0) delete kept.system;
  if (Array.isArray(kept.messages))
    kept.messages = mergedTurns(kept.messages.map((turn) => (isObject(turn) ? normalTurn(turn) : turn)));
  if (decoded && isObject(cache_control)) markLast(kept.messages, cache_control);
  if (Array.isArray(kept.tools)) {
    kept.tools = kept.tools.map((one) => (isObject(one) ? normalTool(one) : one));
    if (kept.tools.length === 0) delete kept.tools;
  }
  if (kept.temperature === 1) delete kept.temperature;
  return kept;
}

function normalTool(body: JsonObject): JsonObject {
  const { description, type, strict, ...rest } = body;
  return {
    ...rest,
    ...(description === "" || description === undefined ? {} : { description }),
    ...(strict ? { strict } : {}),
    ...(type === undefined || type === "custom" || type === null ? {} : { type }),
  };
}

function normalTurn(turn: JsonObject): JsonObject {
  return { ...turn, content: normalContent(turn.content) };
}

function normalContent(content: JsonValue | undefined): JsonValue[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content
    .filter((block) => !(isObject(block) && block.type === "text" && block.text === ""))
    .map((block) => {
      if (!isObject(block)) return block;
      const { is_error, content: inner, citations, cache_control, ...rest } = block;
      if (cache_control !== undefined && cache_control !== null) rest.cache_control = cache_control;
      const kept: JsonObject = { ...rest };
      if (is_error === true) kept.is_error = true;
      if (block.type === "tool_result") {
        const blocks = normalContent(inner);
        if (blocks.length > 0) kept.content = blocks;
      } else if (inner !== undefined) kept.content = inner;
      if (citations !== undefined && citations !== null && !(Array.isArray(citations) && citations.length === 0))
        kept.citations = citations;
      return kept;
    });
}

/** User turns that meet are one turn to the vendor. */
function mergedTurns(turns: JsonValue[]): JsonValue[] {
  const merged: JsonValue[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (
      isObject(turn) &&
      isObject(last) &&
      last.role === turn.role &&
      Array.isArray(last.content) &&
      Array.isArray(turn.content)
    ) {
      last.content.push(...turn.content);
    } else merged.push(turn);
  }
  return merged;
}

function markLast(messages: JsonValue | undefined, mark: JsonObject): void {
  const turn = Array.isArray(messages) ? messages.at(-1) : undefined;
  const block = isObject(turn) && Array.isArray(turn.content) ? turn.content.at(-1) : undefined;
  if (isObject(block)) block.cache_control ??= mark;
}
