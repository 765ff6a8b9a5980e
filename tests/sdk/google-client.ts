import { type Content, type FunctionDeclaration, GoogleGenAI } from "@google/genai";
import type { Caller } from "../recordings/read-back.ts";
import { citySchema, description, type SdkClient } from "./sdk-client.ts";

/** The Google client. */
export const google: SdkClient = {
  name: "@google/genai 3",
  async text(caller, model, stream, prompt) {
    const answer = await googleRun(caller, model, stream, [{ role: "user", parts: [{ text: prompt }] }], {});
    return { text: answer.text, inputTokens: answer.input, outputTokens: answer.output };
  },
  async toolLoop(caller, model, stream, prompt, weather) {
    const declaration: FunctionDeclaration = { name: "get_weather", description, parametersJsonSchema: citySchema };
    const config = { tools: [{ functionDeclarations: [declaration] }] };
    const contents: Content[] = [{ role: "user", parts: [{ text: prompt }] }];
    const first = await googleRun(caller, model, stream, contents, config);
    contents.push(...first.contents);
    const calls = first.contents.flatMap((content) => content.parts ?? []).flatMap((part) => part.functionCall ?? []);
    contents.push({
      role: "user",
      parts: calls.map((call) => ({
        functionResponse: {
          ...(call.id ? { id: call.id } : {}),
          name: call.name ?? "",
          response: { output: weather(String(call.args?.city)) },
        },
      })),
    });
    return (await googleRun(caller, model, stream, contents, config)).text;
  },
  async structured(caller, model, stream, prompt) {
    const config = { responseMimeType: "application/json", responseJsonSchema: citySchema };
    return (await googleRun(caller, model, stream, [{ role: "user", parts: [{ text: prompt }] }], config)).text;
  },
};

async function googleRun(caller: Caller, model: string, stream: boolean, contents: Content[], config: object) {
  const client = new GoogleGenAI({ apiKey: caller.key, httpOptions: { baseUrl: caller.url } });
  const chunks = [];
  if (stream)
    for await (const chunk of await client.models.generateContentStream({ model, contents, config }))
      chunks.push(chunk);
  else chunks.push(await client.models.generateContent({ model, contents, config }));
  const answers = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content ?? []);
  const usage = chunks.at(-1)?.usageMetadata;
  return {
    // As the SDK's own chat keeps history: one content for each chunk.
    contents: answers,
    text: answers
      .flatMap((content) => content.parts ?? [])
      .map((part) => (part.thought ? "" : (part.text ?? "")))
      .join(""),
    input: usage?.promptTokenCount ?? -1,
    output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  };
}
