import { createInterface } from "node:readline";

/**
 * A tool server of a user's own, as agents start it: MCP over standard input and output, a line for each message
 * (modelcontextprotocol.io, revision 2025-06-18). Its one tool tells a secret that no file holds.
 * `node tool-server.ts <word>`
 */
const [, , word = ""] = process.argv;

const tool = {
  name: "secret_word",
  description: "Tells the secret word about a topic.",
  inputSchema: {
    type: "object",
    properties: { topic: { type: "string", description: "What the secret is about." } },
    required: ["topic"],
    additionalProperties: false,
  },
};

/** The result of a request, or undefined where there is no such method. */
function resultOf(method: string, params: { protocolVersion?: string; arguments?: { topic?: string } }): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "house", version: "1.0.0" },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: [tool] };
    case "tools/call":
      return { content: [{ type: "text", text: `The secret of ${params.arguments?.topic} is ${word}.` }] };
    default:
      return undefined;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  // What bears no id wants no answer.
  if (id === undefined) continue;
  const result = resultOf(method, params);
  const outcome =
    result === undefined ? { error: { code: -32601, message: `There is no method ${method}.` } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
}
