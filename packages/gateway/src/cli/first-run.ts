import type { ChannelConfig } from "../config/config.ts";

export interface Welcome {
  version: string;
  /** Base address without a trailing slash, for example `http://127.0.0.1:8080`. */
  address: string;
  channels: readonly ChannelConfig[];
  /** The key that was made just now because there was none; null when there are keys already. */
  newKey: string | null;
  /** Where the first operator is made, as long as there is none. */
  setup: SetupInvitation;
}

/** `unreachable`: there is no operator, and no address at which browsers could reach the console. */
export type SetupInvitation = { kind: "link"; link: string } | { kind: "unreachable" } | { kind: "none" };

/** What stands for the key in the examples when the key itself is not known any more. */
const keyVariable = "INTERLINGUA_KEY";

/** What a start prints: where to go, with which key, to which models, and how, ready to be pasted. */
export function welcomeText(welcome: Welcome): string {
  return [
    `Interlingua ${welcome.version} is listening on ${welcome.address}`,
    keySection(welcome.newKey),
    ...setupSection(welcome.setup),
    modelSection(welcome.channels),
    exampleSection(welcome),
    "",
  ].join("\n\n");
}

function keySection(newKey: string | null): string {
  if (newKey === null) {
    return `Access key: one that you made before, as ${keyVariable}. Another one: npm run interlingua -- keys create --name <name>`;
  }
  return `Access key, made for this first start and shown only now; keep it safe:\n\n  ${newKey}`;
}

function setupSection(setup: SetupInvitation): string[] {
  switch (setup.kind) {
    case "link":
      return [
        `Console: nobody runs it yet. Make the first operator within 30 minutes, by this link:\n\n  ${setup.link}`,
      ];
    case "unreachable":
      return [
        'Console: nobody runs it yet, and browsers cannot reach it: set "console: { url: https://… }" to its address. An operator is made by: npm run interlingua -- users create-operator --email <address>',
      ];
    case "none":
      return [];
  }
}

function modelSection(channels: readonly ChannelConfig[]): string {
  const usable = channels.filter((channel) => channel.status !== "disabled");
  if (usable.length === 0) return "Models: none. Add a channel to the configuration.";
  const width = Math.max(...usable.map((channel) => channel.name.length));
  const lines = usable.map((channel) => {
    const note = channel.status === "under_observation" ? " (under observation)" : "";
    return `  ${channel.name.padEnd(width)}  ${channel.models.map((model) => model.id).join(", ")}${note}`;
  });
  return `Models by channel (* stands for any characters):\n\n${lines.join("\n")}`;
}

function exampleSection({ address, channels, newKey }: Welcome): string {
  const model = exampleModel(channels);
  const shellKey = newKey ?? `$${keyVariable}`;
  const scriptKey = newKey === null ? `process.env.${keyVariable}` : `"${newKey}"`;
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
  const examples: [string, string[]][] = [
    [
      "Try it:",
      [
        `curl ${address}/v1/chat/completions \\`,
        `  -H "Authorization: Bearer ${shellKey}" -H "Content-Type: application/json" \\`,
        `  -d '${body}'`,
      ],
    ],
    [
      "OpenAI SDK (openai), also client.responses:",
      [
        `import OpenAI from "openai";`,
        `const client = new OpenAI({ baseURL: "${address}/v1", apiKey: ${scriptKey} });`,
        `const answer = await client.chat.completions.create({ model: "${model}", messages: [{ role: "user", content: "Hello" }] });`,
        "console.log(answer.choices[0].message.content);",
      ],
    ],
    [
      "Anthropic SDK (@anthropic-ai/sdk):",
      [
        `import Anthropic from "@anthropic-ai/sdk";`,
        `const client = new Anthropic({ baseURL: "${address}", apiKey: ${scriptKey} });`,
        `const answer = await client.messages.create({ model: "${model}", max_tokens: 1024, messages: [{ role: "user", content: "Hello" }] });`,
        "console.log(answer.content);",
      ],
    ],
    [
      "Google SDK (@google/genai):",
      [
        `import { GoogleGenAI } from "@google/genai";`,
        `const client = new GoogleGenAI({ apiKey: ${scriptKey}, httpOptions: { baseUrl: "${address}" } });`,
        `const answer = await client.models.generateContent({ model: "${model}", contents: "Hello" });`,
        "console.log(answer.text);",
      ],
    ],
  ];
  return examples.map(([title, lines]) => `${title}\n\n${lines.map((line) => `  ${line}`).join("\n")}`).join("\n\n");
}

/** A model that can be called by the name as it stands, the sandbox's before all others. */
function exampleModel(channels: readonly ChannelConfig[]): string {
  const usable = channels.filter((channel) => channel.status !== "disabled");
  const ordered = [...usable.filter((channel) => channel.sandbox), ...usable.filter((channel) => !channel.sandbox)];
  const names = ordered.flatMap((channel) => channel.models.map((model) => model.id));
  return names.find((name) => !name.includes("*")) ?? names[0] ?? "<model>";
}
