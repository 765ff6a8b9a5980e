import type { Protocol } from "../../shared/gateway-call.ts";

/** What goes into the settings. */
interface ConnectValues {
  /** Where the gateway is reached, without a slash at the end. */
  address: string;
  /** The whole key, or what stands in its place. */
  key: string;
  model: string;
}

interface Snippet {
  /** A file's name or a command line's kind; no text to translate. */
  title: string;
  code: string;
}

/** A program that can be pointed at the gateway. */
export interface Client {
  id: string;
  name: string;
  group: "agents" | "sdks" | "frameworks" | "shell";
  /** What it speaks. */
  protocol: Protocol;
  snippets(values: ConnectValues): Snippet[];
}

export const clientGroups = ["agents", "sdks", "frameworks", "shell"] as const satisfies readonly Client["group"][];

const text = (value: string) => JSON.stringify(value);
/** In single quotes no shell reads anything into it. */
const word = (value: string) => (/^[\w./:@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);
const exports = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).map(([name, value]) => `export ${name}=${word(value)}`);
const lines = (...parts: readonly string[]) => parts.join("\n");
const json = (value: unknown) => JSON.stringify(value, null, 2);

/** All of them, in the order in which they are shown. */
export const clients: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    group: "agents",
    protocol: "messages",
    snippets({ address, key, model }) {
      const variables = {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: model,
        // What it calls by these kinds of its own (titles, other agents) goes to the same model.
        ANTHROPIC_DEFAULT_OPUS_MODEL: model,
        ANTHROPIC_DEFAULT_SONNET_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      };
      return [
        { title: "Shell", code: lines("unset ANTHROPIC_API_KEY", ...exports(variables), "claude") },
        { title: "~/.claude/settings.json", code: json({ env: variables }) },
      ];
    },
  },
  {
    id: "codex",
    name: "Codex",
    group: "agents",
    protocol: "responses",
    snippets: ({ address, key, model }) => [
      {
        title: "~/.codex/config.toml",
        code: lines(
          `model = ${text(model)}`,
          `model_provider = "interlingua"`,
          "",
          "[model_providers.interlingua]",
          `name = "Interlingua"`,
          `base_url = ${text(`${address}/v1`)}`,
          `env_key = "INTERLINGUA_KEY"`,
          `wire_api = "responses"`,
        ),
      },
      { title: "Shell", code: lines(...exports({ INTERLINGUA_KEY: key }), "codex") },
    ],
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    group: "agents",
    protocol: "generate-content",
    snippets({ address, key, model }) {
      const variables = { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model };
      return [
        { title: "Shell", code: lines(...exports(variables), "gemini") },
        {
          title: "~/.gemini/.env",
          code: lines(...Object.entries(variables).map(([name, value]) => `${name}=${text(value)}`)),
        },
        { title: "~/.gemini/settings.json", code: json({ security: { auth: { selectedType: "gemini-api-key" } } }) },
      ];
    },
  },
  {
    id: "opencode",
    name: "opencode",
    group: "agents",
    protocol: "chat-completions",
    snippets: ({ address, key, model }) => [
      {
        title: "~/.config/opencode/opencode.json",
        code: json({
          $schema: "https://opencode.ai/config.json",
          model: `interlingua/${model}`,
          small_model: `interlingua/${model}`,
          provider: {
            interlingua: {
              npm: "@ai-sdk/openai-compatible",
              name: "Interlingua",
              options: { baseURL: `${address}/v1`, apiKey: "{env:INTERLINGUA_KEY}" },
              models: {
                [model]: { name: model, attachment: true, modalities: { input: ["text", "image"], output: ["text"] } },
              },
            },
          },
        }),
      },
      { title: "Shell", code: lines(...exports({ INTERLINGUA_KEY: key }), "opencode") },
    ],
  },
  {
    id: "openai-js",
    name: "OpenAI SDK · JavaScript",
    group: "sdks",
    protocol: "responses",
    snippets: ({ address, key, model }) => [
      { title: "Shell", code: lines(...exports({ INTERLINGUA_KEY: key }), "npm install openai", "node hello.mjs") },
      {
        title: "hello.mjs",
        code: lines(
          `import OpenAI from "openai";`,
          "",
          "const client = new OpenAI({",
          `  baseURL: ${text(`${address}/v1`)},`,
          "  apiKey: process.env.INTERLINGUA_KEY,",
          "});",
          "const answer = await client.responses.create({",
          `  model: ${text(model)},`,
          `  input: "Say hello in one sentence.",`,
          "});",
          "console.log(answer.output_text);",
        ),
      },
    ],
  },
  {
    id: "openai-python",
    name: "OpenAI SDK · Python",
    group: "sdks",
    protocol: "chat-completions",
    snippets: ({ address, key, model }) => [
      { title: "Shell", code: lines(...exports({ INTERLINGUA_KEY: key }), "pip install openai", "python hello.py") },
      {
        title: "hello.py",
        code: lines(
          "import os",
          "from openai import OpenAI",
          "",
          `client = OpenAI(base_url=${text(`${address}/v1`)}, api_key=os.environ["INTERLINGUA_KEY"])`,
          "answer = client.chat.completions.create(",
          `    model=${text(model)},`,
          `    messages=[{"role": "user", "content": "Say hello in one sentence."}],`,
          ")",
          "print(answer.choices[0].message.content)",
        ),
      },
    ],
  },
  {
    id: "anthropic-js",
    name: "Anthropic SDK · JavaScript",
    group: "sdks",
    protocol: "messages",
    snippets: ({ address, key, model }) => [
      {
        title: "Shell",
        code: lines(...exports({ INTERLINGUA_KEY: key }), "npm install @anthropic-ai/sdk", "node hello.mjs"),
      },
      {
        title: "hello.mjs",
        code: lines(
          `import Anthropic from "@anthropic-ai/sdk";`,
          "",
          "const client = new Anthropic({",
          `  baseURL: ${text(address)},`,
          "  apiKey: process.env.INTERLINGUA_KEY,",
          "});",
          "const answer = await client.messages.create({",
          `  model: ${text(model)},`,
          "  max_tokens: 256,",
          `  messages: [{ role: "user", content: "Say hello in one sentence." }],`,
          "});",
          "console.log(answer.content);",
        ),
      },
    ],
  },
  {
    id: "anthropic-python",
    name: "Anthropic SDK · Python",
    group: "sdks",
    protocol: "messages",
    snippets: ({ address, key, model }) => [
      { title: "Shell", code: lines(...exports({ INTERLINGUA_KEY: key }), "pip install anthropic", "python hello.py") },
      {
        title: "hello.py",
        code: lines(
          "import os",
          "from anthropic import Anthropic",
          "",
          `client = Anthropic(base_url=${text(address)}, api_key=os.environ["INTERLINGUA_KEY"])`,
          "answer = client.messages.create(",
          `    model=${text(model)},`,
          "    max_tokens=256,",
          `    messages=[{"role": "user", "content": "Say hello in one sentence."}],`,
          ")",
          "print(answer.content)",
        ),
      },
    ],
  },
  {
    id: "google-genai",
    name: "Google GenAI SDK",
    group: "sdks",
    protocol: "generate-content",
    snippets: ({ address, key, model }) => [
      {
        title: "Shell",
        code: lines(...exports({ INTERLINGUA_KEY: key }), "npm install @google/genai", "node hello.mjs"),
      },
      {
        title: "hello.mjs",
        code: lines(
          `import { GoogleGenAI } from "@google/genai";`,
          "",
          "const client = new GoogleGenAI({",
          "  apiKey: process.env.INTERLINGUA_KEY,",
          `  httpOptions: { baseUrl: ${text(address)} },`,
          "});",
          "const answer = await client.models.generateContent({",
          `  model: ${text(model)},`,
          `  contents: "Say hello in one sentence.",`,
          "});",
          "console.log(answer.text);",
        ),
      },
    ],
  },
  {
    id: "ai-sdk",
    name: "Vercel AI SDK",
    group: "frameworks",
    protocol: "responses",
    snippets: ({ address, key, model }) => [
      {
        title: "Shell",
        code: lines(...exports({ INTERLINGUA_KEY: key }), "npm install ai @ai-sdk/openai", "node hello.mjs"),
      },
      {
        title: "hello.mjs",
        code: lines(
          `import { createOpenAI } from "@ai-sdk/openai";`,
          `import { generateText } from "ai";`,
          "",
          "const interlingua = createOpenAI({",
          `  baseURL: ${text(`${address}/v1`)},`,
          "  apiKey: process.env.INTERLINGUA_KEY,",
          "});",
          "const { text } = await generateText({",
          `  model: interlingua(${text(model)}),`,
          `  prompt: "Say hello in one sentence.",`,
          "});",
          "console.log(text);",
        ),
      },
    ],
  },
  {
    id: "langchain",
    name: "LangChain",
    group: "frameworks",
    protocol: "chat-completions",
    snippets: ({ address, key, model }) => [
      {
        title: "Shell",
        code: lines(...exports({ INTERLINGUA_KEY: key }), "pip install langchain-openai", "python hello.py"),
      },
      {
        title: "hello.py",
        code: lines(
          "import os",
          "from langchain_openai import ChatOpenAI",
          "",
          "model = ChatOpenAI(",
          `    model=${text(model)},`,
          `    base_url=${text(`${address}/v1`)},`,
          `    api_key=os.environ["INTERLINGUA_KEY"],`,
          ")",
          `print(model.invoke("Say hello in one sentence.").content)`,
        ),
      },
    ],
  },
  {
    id: "curl",
    name: "curl",
    group: "shell",
    protocol: "chat-completions",
    snippets: ({ address, key, model }) => [
      {
        title: "Shell",
        code: lines(
          `curl ${word(`${address}/v1/chat/completions`)} \\`,
          `  -H ${word(`Authorization: Bearer ${key}`)} \\`,
          "  -H 'Content-Type: application/json' \\",
          `  -d ${word(JSON.stringify({ model, messages: [{ role: "user", content: "Say hello in one sentence." }] }))}`,
        ),
      },
    ],
  },
];
