import { describe, expect, test } from "vitest";
import type { JsonObject, Notice } from "../canonical/index.ts";
import { plainVault } from "../shared/vault.ts";
import { call, end, start } from "../testing/responses-events-fixture.ts";
import { answerContext, encodeStream, minimalRequest } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { encodeTypedCall } from "./typed-tools.ts";

function encoded(tool: JsonObject, args: string): { item: JsonObject | undefined; notices: Notice[] } {
  const notices: Notice[] = [];
  const context = { ...answerContext(), notice: (notice: Notice) => notices.push(notice) };
  return { item: encodeTypedCall(tool, "call_1", args, "completed", context), notices };
}

function decoded(body: JsonObject) {
  return decodeRequest({ model: "m", input: "Hi", ...body }, {}, { vault: plainVault() });
}

describe("T8 the item of a typed tool has what its clients demand and nothing else", () => {
  test.each<[string, JsonObject, string, JsonObject]>([
    [
      "a line where a list belongs",
      { type: "local_shell" },
      '{"command":"ls -a"}',
      { action: { type: "exec", env: {}, command: ["bash", "-lc", "ls -a"] } },
    ],
    [
      "one command where a list belongs",
      { type: "shell" },
      '{"commands":"ls","timeout_ms":5}',
      { action: { commands: ["ls"], timeout_ms: 5, max_output_length: null }, environment: { type: "local" } },
    ],
    [
      "nothing in place of a setting",
      { type: "local_shell" },
      '{"command":["ls"],"user":null}',
      { action: { type: "exec", env: {}, command: ["ls"] } },
    ],
    [
      "a whole patch",
      { type: "apply_patch" },
      '{"type":"create_file","path":"a","diff":""}',
      { operation: { type: "create_file", path: "a", diff: "" } },
    ],
  ])("%s", (_what, tool, args, item) => {
    const { item: given, notices } = encoded(tool, args);
    expect(given).toEqual({
      type: `${tool.type}_call`,
      id: expect.any(String),
      call_id: "call_1",
      status: "completed",
      ...item,
    });
    expect(notices).toEqual([]);
  });

  test.each<[string, JsonObject, string, JsonObject]>([
    [
      "one that does not exist",
      { type: "shell" },
      '{"commands":["ls"],"shell":"zsh"}',
      { action: { commands: ["ls"] } },
    ],
    [
      "one of another type",
      { type: "local_shell" },
      '{"command":["ls"],"timeout_ms":"5"}',
      { action: { command: ["ls"] } },
    ],
    [
      "a diff of what is deleted",
      { type: "apply_patch" },
      '{"type":"delete_file","path":"a","diff":"-a"}',
      { operation: { type: "delete_file", path: "a" } },
    ],
  ])("an argument that it does not take is left out and told: %s", (_what, tool, args, item) => {
    const given = encoded(tool, args);
    expect(given.item).toMatchObject(item);
    expect(JSON.stringify(given.item)).not.toMatch(/zsh|"5"|-a"/);
    expect(given.notices).toMatchObject([{ field: "tools", verdict: "dropped" }]);
  });

  test.each([
    ["no command", { type: "local_shell" }, "{}"],
    ["a command of numbers", { type: "shell" }, '{"commands":[1]}'],
    ["an update without a diff", { type: "apply_patch" }, '{"type":"update_file","path":"a"}'],
    ["an operation that does not exist", { type: "apply_patch" }, '{"type":"move_file","path":"a","diff":""}'],
    ["no JSON", { type: "shell" }, '{"commands":["ls"'],
  ])("what makes no item is none, and told: %s", (_what, tool, args) => {
    const { item, notices } = encoded(tool, args);
    expect(item).toBeUndefined();
    expect(notices).toMatchObject([{ verdict: "approximated" }]);
  });

  test("it is a lawful function call in a stream then", () => {
    const request = minimalRequest({
      tools: [{ type: "function", name: "shell", extras: { responses: { $typed: { type: "shell" } } } }],
    });
    const { items } = checkStream(
      encodeStream([start, ...call("a", "shell", ['{"cmd":', "1}"]), ...end], answerContext({ request })),
    );
    expect(items).toMatchObject([{ type: "function_call", name: "shell", arguments: '{"cmd":1}', call_id: "call_a" }]);
  });
});

describe("T8 what a client gives back finds its call", () => {
  const shell = {
    type: "local_shell_call",
    id: "lsh_1",
    call_id: "call_1",
    status: "completed",
    action: { type: "exec", command: ["ls"], env: {} },
  };

  test.each([
    ["the call's id", { call_id: "call_1" }],
    ["the item's id", { id: "lsh_1" }],
    ["the call's id in place of the item's", { id: "call_1" }],
  ])("by %s", (_what, reference) => {
    const output = { type: "local_shell_call_output", ...reference, output: "a.ts" };
    const { turns } = decoded({ input: [shell, output] });
    expect(turns[1]?.parts).toMatchObject([{ type: "tool-result", callId: "call_1", content: [{ text: "a.ts" }] }]);
  });
});

describe("T6 searches and groups", () => {
  const find = { type: "function", name: "find", description: "Finds." };

  test("a search is the client's only where the client says so", () => {
    const { tools } = decoded({ tools: [{ type: "tool_search", execution: "client" }, { type: "tool_search" }] });
    expect(tools.map((tool) => tool.type)).toEqual(["function", "server"]);
  });

  test("what is said of a group stands at its first tool, and comes back as it was", () => {
    const group = {
      type: "namespace",
      name: "crm",
      description: "Customers.",
      tools: [find, { type: "custom", name: "sql" }],
    };
    const request = decoded({ tools: [group] });
    expect(request.tools).toMatchObject([{ description: "[crm: Customers.]\n\nFinds." }, { name: "crm__sql" }]);
    expect(encodeRequest(request, { model: "m", stream: false }).body.tools).toMatchObject([group]);
  });

  test("a grammar without its syntax is refused by its field", () => {
    const tools = [{ type: "custom", name: "a", format: { type: "grammar", definition: "x" } }];
    expect(() => decoded({ tools })).toThrow("'tools[0].format.syntax'");
  });
});
