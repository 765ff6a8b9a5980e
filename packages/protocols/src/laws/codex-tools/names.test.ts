import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../canonical/index.ts";
import { callingAnswer, callingStream, offeredNames, seenHistory } from "../../testing/calling-upstreams.ts";
import { carry, runStream, utf8 } from "../../testing/carrying.ts";
import { readCodexAnswer, readCodexStream, replayedItems } from "../../testing/codex-client.ts";
import { sides } from "../../testing/protocol-sides.ts";
import { type ToolKind, toolKinds } from "./tool-kinds.ts";

const upstreams = [
  { protocol: "chat-completions", model: "deepseek-chat" },
  { protocol: "messages", model: "claude-sonnet-4-5" },
  { protocol: "generate-content", model: "gemini-2.5-pro" },
] as const;
type Upstream = (typeof upstreams)[number];

const json = '{"input":"a"}';

/** A tool of the client's own, alone or in a group. */
function ownTool(type: "function" | "custom", name: string, namespace?: string): ToolKind {
  const tool: JsonObject = { type, name };
  const place: JsonObject = namespace === undefined ? { name } : { name, namespace };
  const item: JsonObject =
    type === "custom"
      ? { type: "custom_tool_call", ...place, input: "a" }
      : { type: "function_call", ...place, arguments: json };
  return {
    kind: JSON.stringify([namespace, name]),
    tools: [namespace === undefined ? tool : { type: "namespace", name: namespace, description: "D", tools: [tool] }],
    choice: { type, ...place },
    name,
    json,
    native: item,
    item,
    output: (call_id) => ({ type: `${item.type}_output`, call_id, output: "done" }),
    shown: "done",
  };
}

const typed = toolKinds.filter(
  ({ choice, kind }) => choice.name === undefined && kind !== 'shell {"environment":{"type":"local"}}',
);

/** Names that read alike once groups are gone, that a typed tool has too, or that no family takes. */
const names = ["find", "c", "b__c", "a__b__c", "crm__find", "shell", "apply_patch", "tool_search", "x.y", "x"];
const groups = ["crm", "a", "a__b", "x", "x.y"];

const plain = fc.tuple(fc.constantFrom("function" as const, "custom" as const), fc.constantFrom(...names));
const grouped = fc.tuple(...([plain, fc.constantFrom(...groups)] as const));
const toolSet: fc.Arbitrary<ToolKind[]> = fc.uniqueArray(
  fc.oneof(
    plain.map(([type, name]) => ownTool(type, name)),
    grouped.map(([[type, name], group]) => ownTool(type, name, group)),
    fc.constantFrom(...typed),
  ),
  { selector: ({ kind }) => kind, minLength: 1, maxLength: 10 },
);

const asks: JsonObject = { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] };

function carried(upstream: Upstream, kinds: readonly ToolKind[], input: JsonObject[], more: JsonObject = {}) {
  const tools = kinds.flatMap((kind) => kind.tools);
  const body = { model: "m", store: false, tools, input: [asks, ...input], ...more };
  return carry(sides.responses, sides[upstream.protocol], body, {
    model: upstream.model,
    stream: more.stream === true,
  });
}

/** The name under which the upstream has each tool, by the tool. */
function namesOf(upstream: Upstream, kinds: readonly ToolKind[], input: JsonObject[] = []): Map<string, string> {
  const offered = offeredNames(upstream.protocol, carried(upstream, kinds, input).upstreamBody);
  return new Map(kinds.map((kind, at) => [kind.kind, offered[at] ?? ""]));
}

/** A conversation in which every tool was called once. */
function calledAll(kinds: readonly ToolKind[]): JsonObject[] {
  const calls = kinds.map((kind, at) => ({ ...kind.item, call_id: `call_${at}`, status: "completed" }));
  return [...calls, ...kinds.map((kind, at) => kind.output(`call_${at}`))];
}

const runs = { numRuns: 100 };

describe.each(upstreams)("T6, L17 any tools, whatever they are called: $protocol", (upstream) => {
  test("have names of their own, the same in any order", () => {
    fc.assert(
      fc.property(toolSet, (kinds) => {
        const wires = namesOf(upstream, kinds);
        expect(new Set(wires.values()).size).toBe(kinds.length);
        expect([...wires.values()]).not.toContain("");
        const reversed = namesOf(upstream, [...kinds].reverse());
        for (const [kind, name] of wires) expect(reversed.get(kind)).toBe(name);
      }),
      runs,
    );
  });

  test("are called as the client named them, and found again in its history", () => {
    fc.assert(
      fc.property(toolSet, fc.boolean(), (kinds, stream) => {
        const wires = namesOf(upstream, kinds);
        const calls = kinds.map((kind, at) => ({
          id: `call_${at}`,
          name: wires.get(kind.kind) ?? "",
          json: kind.json,
        }));
        const conversion = carried(upstream, kinds, [], { stream });
        const items = stream
          ? readCodexStream(
              runStream(conversion.createStream(), [utf8(callingStream(upstream.protocol, calls, 3))]).text,
            )
          : readCodexAnswer(conversion.convertResponse(callingAnswer(upstream.protocol, calls)).body);
        expect(items).toMatchObject(kinds.map(({ item }, at) => ({ ...item, call_id: `call_${at}` })));
        expect(items.map(({ namespace }) => namespace)).toEqual(kinds.map(({ item }) => item.namespace));

        const next = [...replayedItems(items), ...kinds.map((kind, at) => kind.output(`call_${at}`))];
        const sent = carried(upstream, kinds, next).upstreamBody;
        expect(offeredNames(upstream.protocol, sent).slice(0, kinds.length)).toEqual([...wires.values()]);
        expect(seenHistory(upstream.protocol, sent).calls.map(({ name }) => name)).toEqual([...wires.values()]);
      }),
      runs,
    );
  });

  test("are meant by the choice that names them", () => {
    fc.assert(
      fc.property(toolSet, (kinds) => {
        const wires = namesOf(upstream, kinds);
        for (const { kind, choice } of kinds) {
          const { tool_choice, toolConfig } = carried(upstream, kinds, [], { tool_choice: choice }).upstreamBody;
          expect(JSON.stringify(tool_choice ?? toolConfig)).toContain(`"${wires.get(kind)}"`);
        }
      }),
      runs,
    );
  });

  test("that are offered no more are not taken for another one", () => {
    fc.assert(
      fc.property(toolSet, (kinds) => {
        for (const gone of kinds) {
          const { name, namespace } = gone.choice;
          // A plain call tells a name alone: where its tool is gone, that means the tool which has the name now.
          if (name !== undefined && (namespace === undefined || namespace === name)) continue;
          const left = kinds.filter((kind) => kind !== gone);
          const sent = carried(upstream, left, calledAll([gone])).upstreamBody;
          const [call] = seenHistory(upstream.protocol, sent).calls;
          expect(offeredNames(upstream.protocol, sent).slice(0, left.length)).not.toContain(call?.name);
        }
      }),
      runs,
    );
  });
});

test("T6 a plain tool keeps its name, and the one that reads like it comes back as the client named it", () => {
  const kinds = [ownTool("function", "find", "crm"), ownTool("function", "crm__find")];
  const [upstream] = upstreams;
  const [grouped, plain] = namesOf(upstream, kinds).values();
  expect(plain).toBe("crm__find");
  expect(grouped).toMatch(/^crm__find_[0-9a-f]{8}$/);
  const calls = [
    { id: "a", name: "crm__find", json },
    { id: "b", name: grouped ?? "", json },
  ];
  const { body } = carried(upstream, kinds, []).convertResponse(callingAnswer(upstream.protocol, calls));
  expect(readCodexAnswer(body)).toMatchObject([{ name: "crm__find" }, { name: "find", namespace: "crm" }]);
});

test("T6 a search tells the model what it found by the names that it can call", () => {
  const found = { type: "namespace", name: "crm", tools: [{ type: "function", name: "find", description: "Finds." }] };
  const kinds = [...toolKinds.filter(({ name }) => name === "tool_search"), ownTool("function", "crm__find")];
  const searched = [
    { type: "tool_search_call", call_id: "s", execution: "client", arguments: {}, status: "completed" },
    { type: "tool_search_output", call_id: "s", status: "completed", execution: "client", tools: [found] },
  ];
  for (const upstream of upstreams) {
    const { upstreamBody } = carried(upstream, kinds, searched);
    const name = offeredNames(upstream.protocol, upstreamBody)[2] ?? "";
    expect(name).toMatch(/^crm__find_/);
    expect(seenHistory(upstream.protocol, upstreamBody).results[0]?.text).toContain(`- ${name}: Finds.`);
  }
});

test("L17 a function called like the web search that goes with it is another tool", () => {
  const kinds = [ownTool("function", "web_search")];
  const upstream = { protocol: "messages", model: "claude-sonnet-4-5" } as const;
  const body = { model: "m", store: false, tools: [{ type: "web_search" }, ...kinds.flatMap(({ tools }) => tools)] };
  const conversion = carry(sides.responses, sides.messages, { ...body, input: [asks, ...calledAll(kinds)] }, upstream);
  const [search, own] = offeredNames("messages", conversion.upstreamBody);
  expect([search, own]).toEqual(["web_search", expect.stringMatching(/^web_search_[0-9a-f]{8}$/)]);
  expect(seenHistory("messages", conversion.upstreamBody).calls[0]?.name).toBe(own);
  const { body: answer } = conversion.convertResponse(callingAnswer("messages", [{ id: "a", name: own ?? "", json }]));
  expect(readCodexAnswer(answer)).toMatchObject([{ type: "function_call", name: "web_search" }]);
});

test("T6 an upstream of the same protocol gets tools, calls and choices as the client named them", () => {
  fc.assert(
    fc.property(toolSet, (all) => {
      // A plain name that no family takes gets a legal one here, too (T1).
      const kinds = all.filter(({ name, item }) => name !== "x.y" || item.namespace !== undefined);
      const [first] = kinds;
      if (!first) return;
      const tools = kinds.flatMap((kind) => kind.tools);
      const input = [asks, ...calledAll(kinds)];
      const body = { model: "m", store: false, tools, input, tool_choice: first.choice };
      const { upstreamBody } = carry(sides.responses, sides.responses, body, { model: "gpt-5.6" });
      const calls = seenHistory("responses", upstreamBody).calls.map(({ text }) => JSON.parse(text));
      expect(calls).toMatchObject(kinds.map(({ item }) => item));
      expect(upstreamBody.tool_choice).toEqual(body.tool_choice);
    }),
    runs,
  );
});
