import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dialects, ProtocolError, protocolNames } from "../canonical/index.ts";
import { capabilitiesOf as ofChat } from "../chat-completions/capabilities.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { codecs } from "../codecs.ts";
import { capabilitiesOf as ofGemini } from "../generate-content/capabilities.ts";
import { capabilitiesOf as ofMessages } from "../messages/capabilities.ts";
import { capabilitiesOf as ofResponses } from "../responses/capabilities.ts";
import { type CapabilityKind, type CapabilityValue, fitsKind } from "../shared/capabilities.ts";

const resolve = {
  "chat-completions": ofChat,
  responses: ofResponses,
  messages: ofMessages,
  "generate-content": ofGemini,
} as const;

const at = (model: string, more: Partial<EncodeRequestContext> = {}) => ({ model, stream: false, ...more });

const models = [
  ...["gpt-3.5-turbo", "gpt-4o", "gpt-4.1", "gpt-5", "gpt-5.1-codex", "gpt-5.6", "o3", "openai/gpt-5", "gpt-oss-20b"],
  ...["claude-3-haiku", "claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-5", "claude-opus-5-5", "claude-next-9"],
  ...["gemini-2.0-flash", "gemini-2.5-pro", "gemini-3-pro", "gemini-9", "mistral-large", "deepseek-chat", "qwen3"],
  ...["grok-4", "grok-3-mini", "llama-3", "glm-4.6", "my-search-model", "nobody-knows-it"],
];

describe.each(protocolNames)("the capabilities of %s", (protocol) => {
  const kinds = Object.entries(codecs[protocol].capabilityKinds);

  test("every row has every capability, each of its kind", () => {
    for (const model of models) {
      for (const dialect of [undefined, ...dialects]) {
        const record: Readonly<Record<string, unknown>> = resolve[protocol](at(model, { dialect }));
        expect(Object.keys(record).toSorted()).toEqual(kinds.map(([name]) => name).toSorted());
        for (const [name, kind] of kinds)
          expect([model, name, fitsKind(record[name], kind)]).toEqual([model, name, true]);
      }
    }
  });

  test.each(kinds)("an operator's word on %s counts over the tables", (name, kind) => {
    for (const value of valuesOf(kind)) {
      const record: Readonly<Record<string, unknown>> = resolve[protocol](at("m", { capabilities: { [name]: value } }));
      expect(record[name]).toEqual(value);
    }
  });

  test("what is no capability, or no value of it, does not pass for one", () => {
    const [[first, kind] = ["", { kind: "switch" }]] = kinds as [string, CapabilityKind][];
    for (const capabilities of [{ colour: true }, { [first]: kind.kind === "switch" ? "yes" : true }]) {
      expect(() => resolve[protocol](at("m", { capabilities }))).toThrow(ProtocolError);
    }
  });
});

function valuesOf(kind: CapabilityKind): CapabilityValue[] {
  switch (kind.kind) {
    case "switch":
      return [true, false];
    case "count":
      return [0, 7];
    case "word":
      return [...kind.words];
    case "words":
      return [[], [...kind.words]];
  }
}

describe("a model that no row knows", () => {
  test("is its family's newest", () => {
    expect(ofMessages(at("claude-next-9"))).toEqual({ ...ofMessages(at("claude-opus-5-5")), maxOutput: 0 });
    expect(ofResponses(at("gpt-9"))).toEqual(ofResponses(at("gpt-5.6")));
    expect(ofGemini(at("gemini-9"))).toEqual(ofGemini(at("gemini-3-flash")));
    expect(ofChat(at("gpt-9"))).toEqual(ofChat(at("gpt-5.6")));
  });

  test("is the newest of the vendor at the vendor's own service, whatever its name", () => {
    expect(ofMessages(at("nightly", { dialect: "anthropic" }))).toEqual(ofMessages(at("claude-next-9")));
    expect(ofResponses(at("nightly", { dialect: "openai" }))).toEqual(ofResponses(at("gpt-9")));
    expect(ofChat(at("nightly", { dialect: "openai" })).efforts).toEqual(ofChat(at("gpt-9")).efforts);
  });
});

/** The one place where a model's name may decide, and a path that is written as the vendor writes it. */
const mayAsk = /(capabilities|model-facts|generate-content\/token-counting)\.ts$/;
const asksName =
  /\.test\(\s*(context\.|request\.)?(upstreamM|m)odel\b|[mM]odel\.(includes|startsWith|endsWith|match|search)\(|[mM]odel [!=]== "(?!string")[a-z]/;

test("no encoder asks a model's name: what depends on it is a capability", () => {
  const root = new URL("../", import.meta.url);
  const asking: string[] = [];
  for (const folder of [...protocolNames, "shared"]) {
    for (const file of readdirSync(new URL(`${folder}/`, root))) {
      const path = `${folder}/${file}`;
      if (!file.endsWith(".ts") || file.endsWith(".test.ts") || mayAsk.test(path)) continue;
      const text = readFileSync(new URL(path, root), "utf8");
      if (asksName.test(text)) asking.push(path);
    }
  }
  expect(asking).toEqual([]);
});
