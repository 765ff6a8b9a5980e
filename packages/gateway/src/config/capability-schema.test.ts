import { readFileSync } from "node:fs";
import { type CapabilityKind, codecs, protocolNames } from "@interlingua/protocols";
import { expect, test } from "vitest";
import { snakeCase } from "./capability-schema.ts";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./load-config.ts";

const load = (text: string) =>
  loadConfig({ file: "interlingua.yaml", env: {}, fileSystem: { read: async () => text } });

const entry = (set: string, more = "") => `capabilities:
  - model: "claude-*"
    protocol: messages${more}
    set:
      ${set}
`;

test("an entry is read by the words of its protocol", async () => {
  const { capabilities } = await load(
    entry("{ max_output: 32000, efforts: [low, high], thinking: budget }", "\n    channel: one"),
  );
  expect(capabilities).toEqual([
    {
      model: "claude-*",
      protocol: "messages",
      channel: "one",
      set: { maxOutput: 32_000, efforts: ["low", "high"], thinking: "budget" },
    },
  ]);
});

test.each([
  ["max_outptu: 5", /^5 .*max_outptu: is no capability on messages, did you mean max_output\?/],
  ["limit_field: max_tokens", /^5 .*is no capability on messages, known are .*thinking/],
  ["prefill: yes please", /^5 capabilities\[0\]\.set\.prefill: must be true or false/],
  ["max_output: -1", /^5 .*must be a whole number from 0/],
  ["thinking: sometimes", /^5 .*must be one of none, budget, adaptive, both/],
  ["efforts: [low, extreme]", /^5 .*must be a list of any of none, .*max/],
  ["{}", /^5? ?.*must set at least one capability/],
])("%s is an error by its line", async (set, message) => {
  const error: unknown = await load(entry(set)).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError)) throw new Error(`expected a ConfigError, got ${String(error)}`);
  expect(error.issues.map((issue) => `${issue.line} ${issue.path}: ${issue.message}`)).toEqual([
    expect.stringMatching(message),
  ]);
});

test("a dialect that nobody knows is an error", async () => {
  const file = `channels:
  - name: one
    protocols: [chat-completions]
    base_url: https://llm.example.com/v1
    models: ["*"]
    dialect: vlm
`;
  await expect(load(file)).rejects.toThrow(/must be auto or one of .*vllm/);
});

/** A kind in the words of the page. */
function told(kind: CapabilityKind): string {
  switch (kind.kind) {
    case "switch":
      return "true or false";
    case "count":
      return "whole number";
    case "word":
      return kind.words.map((word) => `\`${word}\``).join(", ");
    case "words":
      return `list of ${kind.words.map((word) => `\`${word}\``).join(", ")}`;
  }
}

test.each(protocolNames)("docs/configuration.md lists all capabilities on %s, and what each can be", (protocol) => {
  const page = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8");
  const section = page.split(`### Capabilities on ${protocol}\n`)[1]?.split("\n#")[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) \| .+ \|$/gm)].map(([, name, kind]) => [name, kind]);
  const known = Object.entries(codecs[protocol].capabilityKinds);
  expect(rows).toEqual(known.map(([name, kind]) => [snakeCase(name), told(kind)]));
});
