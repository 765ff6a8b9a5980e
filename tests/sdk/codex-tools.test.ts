import { type Ask, type Script, type Step, startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { asSent } from "./openai-clients.ts";

/**
 * The tools of Codex and of the vendor's agents through the official client: all kinds called at once, the items sent back
 * as the client got them with what each tool gave, in front of the strict simulated provider of every family.
 */
type Item = OpenAI.Responses.ResponseOutputItem;
type Given = OpenAI.Responses.ResponseInputItem;

const patch = '*** Begin Patch\n*** Add File: größe.ts\n+const a = "🙂\\n";\n*** End Patch';
const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };

const plainTools: OpenAI.Responses.Tool[] = [
  { type: "function", name: "exec_command", parameters, strict: false },
  {
    type: "custom",
    name: "edit",
    description: "Edits files.",
    format: { type: "grammar", syntax: "lark", definition: 'start: "*** Begin Patch" /(.|\\n)+/' },
  },
  { type: "custom", name: "when", format: { type: "grammar", syntax: "regex", definition: "^\\d{4}$" } },
];
const ownTools: OpenAI.Responses.Tool[] = [
  {
    type: "namespace",
    name: "mcp__crm",
    description: "Customers.",
    tools: [{ type: "function", name: "find", parameters, strict: false }],
  },
  { type: "tool_search", execution: "client", description: "Searches for tools.", parameters },
  { type: "local_shell" },
  { type: "shell", environment: { type: "local" } },
  { type: "apply_patch" },
];
const brought: Given = {
  type: "additional_tools",
  role: "developer",
  tools: [{ type: "function", name: "late", parameters, strict: false }],
};

/** What the model writes into the arguments of each function. */
const written: Record<string, Record<string, string | string[]>> = {
  exec_command: { q: "ls" },
  mcp__crm__find: { q: "Ada" },
  late: { q: "now" },
  tool_search: { q: "calendar" },
  local_shell: { command: ["ls", "-a"] },
  shell: { commands: ["ls", "pwd"] },
  apply_patch: { type: "create_file", path: "a.ts", diff: "+🙂\n" },
};
const texts: Record<string, string> = { edit: patch, when: "2026" };

/** Calls every tool on offer; once their results are there, says what they were. */
const script = (ask: Ask): Script => {
  if (ask.lastTurn.kind === "tool-results") {
    return { steps: [{ kind: "text", text: ask.lastTurn.results.map((result) => result.text).join("|") }] };
  }
  return {
    steps: ask.tools.map(({ name, custom }): Step => {
      const text = texts[name];
      if (text === undefined) return { kind: "tool-call", name, arguments: written[name] ?? {} };
      return { kind: "tool-call", name, arguments: custom ? text : { input: text }, custom };
    }),
    chunkSize: 1,
    wireChunk: 7,
  };
};

/** What the program gives back for an item, as the vendor's reference wants it. */
function outputOf(item: Item): Given | undefined {
  switch (item.type) {
    case "function_call":
      return { type: "function_call_output", call_id: item.call_id, output: `did ${item.name}` };
    case "custom_tool_call":
      return { type: "custom_tool_call_output", call_id: item.call_id, output: `did ${item.name}` };
    case "local_shell_call":
      return { type: "local_shell_call_output", id: item.id, output: "did local_shell" };
    case "shell_call": {
      const output = [{ stdout: "did shell", stderr: "", outcome: { type: "exit" as const, exit_code: 0 } }];
      return { type: "shell_call_output", call_id: item.call_id, output };
    }
    case "apply_patch_call":
      return { type: "apply_patch_call_output", call_id: item.call_id, status: "completed", output: "did apply_patch" };
    case "tool_search_call":
      return {
        type: "tool_search_output",
        call_id: item.call_id,
        execution: "client",
        status: "completed",
        tools: [{ type: "function", name: "calendar", description: "Dates.", parameters, strict: false }],
      };
    default:
      return undefined;
  }
}

const wanted: Record<string, object> = {
  exec_command: { type: "function_call", arguments: '{"q":"ls"}' },
  edit: { type: "custom_tool_call", input: patch },
  when: { type: "custom_tool_call", input: "2026" },
  find: { type: "function_call", namespace: "mcp__crm", arguments: '{"q":"Ada"}' },
  late: { type: "function_call", arguments: '{"q":"now"}' },
  tool_search_call: { execution: "client", arguments: { q: "calendar" }, status: "completed" },
  local_shell_call: { action: { type: "exec", command: ["ls", "-a"], env: {} }, status: "completed" },
  shell_call: { action: { commands: ["ls", "pwd"], timeout_ms: null, max_output_length: null } },
  apply_patch_call: { operation: { type: "create_file", path: "a.ts", diff: "+🙂\n" }, status: "completed" },
};

const models = {
  "chat-completions": "sandbox",
  "chat-completions with custom tools": "gpt-5.2",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-2.5-pro",
  responses: "gpt-5.2",
} as const;
type Upstream = keyof typeof models;

let sim: UpstreamSim;
let gateway: TestGateway;

beforeAll(async () => {
  let minted = 0;
  sim = await startUpstreamSim({ clock: () => 1_790_000_000_000, ids: () => `id${++minted}`, script: () => script });
  gateway = await startTestGateway({
    channels: Object.entries(models).map(([name, upstream_id], at) => {
      const protocol = name.split(" ")[0] ?? name;
      const isOpenAi = protocol === "chat-completions" || protocol === "responses";
      return {
        name: `channel-${at}`,
        protocols: [protocol],
        base_url: isOpenAi ? `${sim.url}/v1` : sim.url,
        api_key: "sim",
        models: [{ id: `model-${at}`, upstream_id }],
      };
    }),
  });
});

afterAll(async () => {
  await gateway?.close();
  await sim?.close();
});

async function ask(upstream: Upstream, stream: boolean, tools: OpenAI.Responses.Tool[], input: Given[]) {
  const client = new OpenAI({ apiKey: gateway.caller.key, baseURL: `${gateway.caller.url}/v1`, maxRetries: 0 });
  const model = `model-${Object.keys(models).indexOf(upstream)}`;
  const body = { model, store: false, tools, input };
  return stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
}

function nameOf(item: Item): string {
  return "name" in item && typeof item.name === "string" ? item.name : item.type;
}

describe.each([
  ["streamed", true],
  ["whole", false],
])("Codex's tools by the official client, %s", (_way, stream) => {
  test.each(Object.keys(models) as Upstream[])("%s", async (upstream) => {
    // The same protocol is not converted, and the simulated provider itself runs plain tools only.
    const isConverted = upstream !== "responses";
    const tools = isConverted ? [...plainTools, ...ownTools] : plainTools;
    const input: Given[] = [...(isConverted ? [brought] : []), { role: "user", content: "Call everything." }];

    const first = await ask(upstream, stream, tools, input);
    const calls = first.output.filter((item) => outputOf(item) !== undefined);
    const names = Object.keys(wanted).slice(0, isConverted ? undefined : plainTools.length);
    expect(calls.map(nameOf).sort()).toEqual(names.sort());
    for (const item of calls) expect(item).toMatchObject(wanted[nameOf(item)] ?? {});
    const ids = calls.map((item) => ("call_id" in item ? item.call_id : ""));
    expect(new Set(ids).size).toBe(calls.length);

    const replayed = first.output.map(asSent) as Given[];
    const second = await ask(upstream, stream, tools, [
      ...input,
      ...replayed,
      ...calls.flatMap((item) => outputOf(item) ?? []),
    ]);
    for (const name of ["exec_command", "edit", "when"]) expect(second.output_text).toContain(`did ${name}`);
    if (!isConverted) return;
    for (const name of ["find", "late", "local_shell", "shell", "apply_patch"])
      expect(second.output_text).toContain(`did ${name}`);
    expect(second.output_text).toContain("calendar");
  });
});
