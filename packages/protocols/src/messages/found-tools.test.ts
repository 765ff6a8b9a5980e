import { expect, test } from "vitest";
import { codecs } from "../codecs.ts";
import { createConversion } from "../conversion.ts";
import { plainVault } from "../shared/vault.ts";

/** What Claude Code sends once its search of deferred tools has found one. */
const clientBody = {
  model: "m",
  max_tokens: 100,
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "ToolSearch", input: { query: "secret" } }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          content: [{ type: "tool_reference", tool_name: "mcp__house__secret_word" }],
        },
      ],
    },
  ],
  tools: [
    { name: "ToolSearch", input_schema: { type: "object" } },
    { name: "mcp__house__secret_word", input_schema: { type: "object" }, defer_loading: true },
  ],
};

const vault = plainVault();
const field = "messages[2].content[0].content[0]";

test.each([
  ["chat-completions", "gpt-5.2"],
  ["responses", "gpt-5.2"],
  ["generate-content", "gemini-3-pro-preview"],
] as const)("%s: a search of tools that found one does not look as if it had found none", (upstream, upstreamModel) => {
  const { upstreamBody, notices } = createConversion({
    client: codecs.messages,
    upstream: codecs[upstream],
    request: codecs.messages.decodeRequest(clientBody, {}, { vault }),
    clientBody,
    upstreamModel,
    lossy: "allow",
    ids: (prefix) => `${prefix}1`,
    now: () => 0,
    vault,
  });
  expect(JSON.stringify(upstreamBody)).toContain("The tool 'mcp__house__secret_word' was found");
  expect(notices).toContainEqual(expect.objectContaining({ field, verdict: "approximated" }));
});

test("generate-content: what a result holds that has no text at all is told as lost", () => {
  const content = [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "riddle" }] }];
  const body = { ...clientBody, messages: [...clientBody.messages.slice(0, 2), { role: "user", content }] };
  const request = codecs.messages.decodeRequest(body, {}, { vault });
  const { notices } = codecs["generate-content"].encodeRequest(request, {
    model: "gemini-3-pro-preview",
    stream: false,
  });
  expect(notices).toContainEqual(expect.objectContaining({ field, verdict: "dropped" }));
});

test("messages: the reference goes back as it came", () => {
  const request = codecs.messages.decodeRequest(clientBody, {}, { vault });
  const { body } = codecs.messages.encodeRequest(request, { model: "claude-sonnet-4-6", stream: false });
  expect(JSON.stringify(body)).toContain(
    JSON.stringify({ type: "tool_reference", tool_name: "mcp__house__secret_word" }),
  );
});
