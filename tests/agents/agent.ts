import type { ProtocolName } from "@interlingua/protocols";

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
  /** Its command line for one task without a human; `bin` is where the installed programs stand. */
  command(run: { bin: string; prompt: string }): readonly string[];
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
    command: ({ bin, prompt }) => [
      `${bin}/claude`,
      "-p",
      prompt,
      "--output-format",
      "stream-json",
      "--verbose",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Read",
      "Write",
      "Bash",
    ],
  },
  {
    name: "Codex",
    page: "codex",
    seesPictures: true,
    speaks: "responses",
    module: "@openai/codex",
    knownModel: "gpt-5.5",
    command: ({ bin, prompt }) => [
      `${bin}/codex`,
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
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
    command: ({ bin, prompt }) => [`${bin}/gemini`, "--skip-trust", "--yolo", "-p", prompt],
  },
  {
    name: "opencode",
    page: "opencode",
    seesPictures: true,
    speaks: "chat-completions",
    module: "opencode-linux-x64",
    knownModel: "gpt-5.5",
    // The program itself: the package that chooses it by the platform names packages that not every registry has.
    command: ({ bin, prompt }) => [`${bin}/../opencode-linux-x64/bin/opencode`, "run", "--auto", prompt],
  },
  {
    name: "OpenAI Agents SDK",
    page: "openai-agents",
    seesPictures: false,
    speaks: "responses",
    module: "@openai/agents",
    knownModel: "gpt-5.2",
    command: ({ prompt }) => [process.execPath, "agent.mjs", prompt],
  },
  {
    name: "LangChain",
    page: "langchain",
    seesPictures: false,
    speaks: "chat-completions",
    module: "@langchain/openai",
    knownModel: "gpt-5.2",
    command: ({ prompt }) => [process.execPath, "agent.mjs", prompt],
  },
];
