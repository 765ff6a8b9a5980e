import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { JsonObject, ProtocolName } from "@interlingua/protocols";

export interface Judged {
  name: string;
  protocol: ProtocolName;
  body: JsonObject;
}

export interface Complaint {
  name: string;
  message: string;
}

const root = resolve(import.meta.dirname, "../..");

/**
 * The wire form of generateContent in the SDK's own types: the SDK declares the parts of a request, with enums where
 * the wire has their names, and nests some of them differently.
 */
const prelude = `
import type OpenAI from "openai";
import type Anthropic from "@anthropic-ai/sdk";
import type AnthropicOld from "anthropic0";
import type { Content, GenerationConfig, SafetySetting, Tool, ToolConfig } from "@google/genai";

type Wire<T> = T extends string ? \`\${T}\` : T extends (infer E)[] ? Wire<E>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
interface GenerateContentBody {
  contents: Wire<Content>[];
  systemInstruction?: Wire<Content>;
  tools?: Wire<Tool>[];
  toolConfig?: Wire<ToolConfig>;
  generationConfig?: Wire<GenerationConfig>;
  safetySettings?: Wire<SafetySetting>[];
  cachedContent?: string;
  labels?: Record<string, string>;
  serviceTier?: string;
}
type Chat = OpenAI.Chat.ChatCompletionCreateParams;
type Responses = OpenAI.Responses.ResponseCreateParams;
// The gateway sends version 2023-06-01, whose sampling fields only the older SDK declares.
type Messages = Anthropic.MessageCreateParams | AnthropicOld.MessageCreateParams;
`;

const typeNames: Record<ProtocolName, string> = {
  "chat-completions": "Chat",
  responses: "Responses",
  messages: "Messages",
  "generate-content": "GenerateContentBody",
};

/** Lets the compiler hold every body, written as a literal, against the vendor's request type. */
export async function judgeByVendorTypes(bodies: readonly Judged[]): Promise<Complaint[]> {
  const folder = mkdtempSync(join(root, "node_modules/.vendor-types-"));
  try {
    const lines = bodies.map(
      ({ protocol, body }, index) => `export const b${index}: ${typeNames[protocol]} = ${JSON.stringify(body)};`,
    );
    const head = prelude.split("\n").length - 1;
    writeFileSync(join(folder, "bodies.ts"), prelude + lines.join("\n"));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: "../../tsconfig.base.json",
        compilerOptions: { lib: ["ES2024", "DOM"], types: ["node"] },
        include: ["bodies.ts"],
        exclude: [],
      }),
    );
    const output = await run(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"]);
    return complaintsOf(output, bodies, head);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function complaintsOf(output: string, bodies: readonly Judged[], head: number): Complaint[] {
  const complaints: Complaint[] = [];
  for (const line of output.split("\n")) {
    const place = /bodies\.ts\((\d+),\d+\): error (.*)$/.exec(line);
    if (place) {
      const name = bodies[Number(place[1]) - head - 1]?.name ?? "the prelude";
      complaints.push({ name, message: place[2] ?? "" });
    } else if (/error TS/.test(line)) {
      complaints.push({ name: "the compiler", message: line });
    } else if (line.trim() !== "" && complaints.length > 0) {
      const last = complaints.at(-1);
      if (last && last.message.length < 1500) last.message += ` ${line.trim()}`;
    }
  }
  return complaints;
}

function run(command: string, args: string[]): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: root });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", failed);
    child.on("close", () => done(output));
  });
}
