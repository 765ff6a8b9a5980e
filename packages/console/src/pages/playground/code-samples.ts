import type { JsonObject, JsonValue, ProtocolName } from "@interlingua/protocols";
import { callHeaders, callPath } from "../../shared/gateway-call.ts";

export interface CodeSample {
  title: string;
  code: string;
}

interface Sampled {
  address: string;
  protocol: ProtocolName;
  model: string;
  stream: boolean;
  body: JsonObject;
}

/** The variable that the key is read from: what is copied holds no secret. */
const variable = "INTERLINGUA_KEY";

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const pretty = (value: JsonValue | undefined) => JSON.stringify(value, null, 2);

/** The same request for a command line and for the vendor's own SDK. */
export function codeSamples(sampled: Sampled): CodeSample[] {
  return [
    { title: "curl", code: curl(sampled) },
    { title: "JavaScript", code: sdk(sampled) },
  ];
}

function curl({ address, protocol, model, stream, body }: Sampled): string {
  const headers = Object.entries(callHeaders(protocol, `$${variable}`)).map(
    ([name, value]) => `  -H "${name}: ${value}" \\`,
  );
  return [
    `curl ${stream ? "-N " : ""}${shell(address + callPath(protocol, model, stream))} \\`,
    ...headers,
    `  -d ${shell(pretty(body))}`,
  ].join("\n");
}

function sdk({ address, protocol, model, stream, body }: Sampled): string {
  const key = `process.env.${variable}`;
  const read = stream ? ["for await (const event of answer) console.log(event);"] : ["console.log(answer);"];
  switch (protocol) {
    case "chat-completions":
    case "responses": {
      const call = protocol === "responses" ? "responses" : "chat.completions";
      return [
        `import OpenAI from "openai";`,
        "",
        `const client = new OpenAI({ baseURL: ${JSON.stringify(`${address}/v1`)}, apiKey: ${key} });`,
        `const answer = await client.${call}.create(${pretty(body)});`,
        ...read,
      ].join("\n");
    }
    case "messages":
      return [
        `import Anthropic from "@anthropic-ai/sdk";`,
        "",
        `const client = new Anthropic({ baseURL: ${JSON.stringify(address)}, apiKey: ${key} });`,
        `const answer = await client.messages.create(${pretty(body)});`,
        ...read,
      ].join("\n");
    case "generate-content": {
      const method = stream ? "generateContentStream" : "generateContent";
      return [
        `import { GoogleGenAI } from "@google/genai";`,
        "",
        `const client = new GoogleGenAI({ apiKey: ${key}, httpOptions: { baseUrl: ${JSON.stringify(address)} } });`,
        `const answer = await client.models.${method}(${pretty(sdkParameters(model, body))});`,
        ...read,
      ].join("\n");
    }
  }
}

/** The SDK has everything but model and contents in one `config`. */
function sdkParameters(model: string, { contents, generationConfig, ...rest }: JsonObject): JsonObject {
  const generation =
    typeof generationConfig === "object" && generationConfig !== null && !Array.isArray(generationConfig)
      ? generationConfig
      : {};
  return { model, contents: contents ?? [], config: { ...rest, ...generation } };
}
