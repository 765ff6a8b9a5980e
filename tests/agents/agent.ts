import { type ProtocolName, protocolNames } from "@interlingua/protocols";

/** A program that works by itself with a model behind the gateway. */
export interface Agent {
  name: string;
  /** The protocol that it speaks to the gateway. */
  speaks: ProtocolName;
  /** The installed package whose version counts. */
  module: string;
  /** The page of docs/clients that tells how it is set up. */
  page: string;
  /** Whether its tool for reading files shows pictures to the model. */
  seesPictures: boolean;
  /** A name that it knows, by which it offers other tools and fields than for a model it never heard of. */
  knownModel: string;
  /** Its command line for one task without a human. */
  command(run: AgentRun): readonly string[];
  /** Where it is told of a tool server, if not on its command line: a file of JSON, which may be there already. */
  serverFile?(server: ToolServer): { path: string; json: object };
  /** Whether it can call the tools of a user's own server. */
  takesServers: boolean;
  /** Sessions that it is made to go on with: the families that serve its turns. None where it keeps no sessions. */
  sessions: readonly (readonly ProtocolName[])[];
  /** Whether a session that it goes on with still has what models of other families gave beside their thinking. */
  keepsThinking: boolean;
}

/** One start of an agent. */
export interface AgentRun {
  /** Where the installed programs stand. */
  bin: string;
  prompt: string;
  /** The turn of a session in which the model thinks: the first, or one that goes on from the one before. */
  turn?: "first" | "next";
  /** It is told of this tool server. */
  server?: ToolServer;
}

/** How a tool server is started; it speaks MCP over standard input and output. */
export interface ToolServer {
  command: string;
  args: readonly string[];
}

/** The name that agents know the tool server by. */
const house = "house";

/** A session that begins on a family, goes over to each of the others, and comes back each time. */
function roundTrips(first: ProtocolName): readonly ProtocolName[] {
  return [first, ...protocolNames.filter((other) => other !== first).flatMap((other) => [other, first])];
}

/** All of them, in the order of the table. */
export const agents: readonly Agent[] = [
  {
    name: "Claude Code",
    page: "claude-code",
    seesPictures: true,
    speaks: "messages",
    module: "@anthropic-ai/claude-code",
    knownModel: "claude-sonnet-4-6",
    takesServers: true,
    sessions: protocolNames.map(roundTrips),
    keepsThinking: true,
    command: ({ bin, prompt, turn, server }) => [
      `${bin}/claude`,
      "-p",
      prompt,
      ...(turn === "next" ? ["--continue"] : []),
      "--output-format",
      "stream-json",
      "--verbose",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Read",
      "Write",
      "Bash",
      `mcp__${house}`,
      ...(server ? ["--mcp-config", JSON.stringify({ mcpServers: { [house]: server } })] : []),
    ],
  },
  {
    name: "Codex",
    page: "codex",
    seesPictures: true,
    speaks: "responses",
    module: "@openai/codex",
    knownModel: "gpt-5.5",
    takesServers: true,
    sessions: protocolNames.map(roundTrips),
    keepsThinking: true,
    command: ({ bin, prompt, turn, server }) => [
      `${bin}/codex`,
      "exec",
      ...(turn === "next" ? ["resume", "--last"] : []),
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      // By itself it asks for no thinking.
      ...(turn ? ["-c", "model_reasoning_effort=high", "-c", "model_supports_reasoning_summaries=true"] : []),
      // Without `required` it begins before the server is there.
      ...Object.entries({ ...server, ...(server ? { required: true } : {}) }).flatMap(([name, value]) => [
        "-c",
        `mcp_servers.${house}.${name}=${JSON.stringify(value)}`,
      ]),
      prompt,
    ],
  },
  {
    name: "Gemini CLI",
    page: "gemini-cli",
    seesPictures: true,
    speaks: "generate-content",
    module: "@google/gemini-cli",
    knownModel: "gemini-3.1-pro-preview",
    takesServers: true,
    // It does not come back to its own family: of a session that it resumes it sends each tool result twice.
    sessions: [["generate-content", "messages", "responses", "messages"]],
    // Its record of a session has the signatures of calls, and those of texts no more.
    keepsThinking: false,
    command: ({ bin, prompt, turn }) => [
      `${bin}/gemini`,
      "--skip-trust",
      "--yolo",
      ...(turn === "next" ? ["--resume", "latest"] : []),
      "-p",
      prompt,
    ],
    serverFile: (server) => ({ path: "~/.gemini/settings.json", json: { mcpServers: { [house]: server } } }),
  },
  {
    name: "opencode",
    page: "opencode",
    seesPictures: true,
    speaks: "chat-completions",
    module: "opencode-linux-x64",
    knownModel: "gpt-5.5",
    // The program itself: the package that chooses it by the platform names packages that not every registry has.
    takesServers: true,
    sessions: [["responses", "generate-content", "responses"]],
    keepsThinking: false,
    command: ({ bin, prompt, turn }) => [
      `${bin}/../opencode-linux-x64/bin/opencode`,
      "run",
      "--auto",
      ...(turn === "next" ? ["--continue"] : []),
      prompt,
    ],
    serverFile: ({ command, args }) => ({
      path: "opencode.json",
      json: { mcp: { [house]: { type: "local", command: [command, ...args], enabled: true } } },
    }),
  },
  {
    name: "OpenAI Agents SDK",
    page: "openai-agents",
    seesPictures: false,
    speaks: "responses",
    module: "@openai/agents",
    knownModel: "gpt-5.2",
    takesServers: false,
    sessions: [],
    keepsThinking: false,
    command: ({ prompt }) => [process.execPath, "agent.mjs", prompt],
  },
  {
    name: "LangChain",
    page: "langchain",
    seesPictures: false,
    speaks: "chat-completions",
    module: "@langchain/openai",
    knownModel: "gpt-5.2",
    takesServers: false,
    sessions: [],
    keepsThinking: false,
    command: ({ prompt }) => [process.execPath, "agent.mjs", prompt],
  },
];
