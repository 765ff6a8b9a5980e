import type { JsonObject, ProtocolName } from "@interlingua/protocols";
import type { Wire } from "../compatibility/request-features/feature.ts";

/** A conversation as a client keeps it: the fields of its next request, in its own protocol. */
export interface Conversation {
  first(prompt: string): JsonObject;
  /** The client replays the answer as it came and adds the result of each call. */
  withResults(request: JsonObject, answer: Wire, result: (name: string, args: Wire) => string): JsonObject;
  /** The client replays the answer and says something more. */
  withUser(request: JsonObject, answer: Wire, prompt: string): JsonObject;
  calls(answer: Wire): number;
}

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const parse = (text: string): Wire => JSON.parse(text);

const chatTurn = (answer: Wire): Wire => answer.choices[0].message;

export const conversations: Record<ProtocolName, Conversation> = {
  "chat-completions": {
    first: (prompt) => ({
      messages: [{ role: "user", content: prompt }],
      reasoning_effort: "high",
      tools: [{ type: "function", function: { name: "get_weather", parameters } }],
    }),
    withResults: (request: Wire, answer, result) => ({
      ...request,
      messages: [
        ...request.messages,
        chatTurn(answer),
        ...(chatTurn(answer).tool_calls ?? []).map((call: Wire) => ({
          role: "tool",
          tool_call_id: call.id,
          content: result(call.function.name, parse(call.function.arguments)),
        })),
      ],
    }),
    withUser: (request: Wire, answer, prompt) => ({
      ...request,
      messages: [...request.messages, chatTurn(answer), { role: "user", content: prompt }],
    }),
    calls: (answer) => chatTurn(answer).tool_calls?.length ?? 0,
  },
  responses: {
    first: (prompt) => ({
      input: [{ role: "user", content: prompt }],
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      store: false,
      tools: [{ type: "function", name: "get_weather", parameters, strict: false }],
    }),
    withResults: (request: Wire, answer, result) => ({
      ...request,
      input: [
        ...request.input,
        ...answer.output,
        ...answer.output
          .filter((item: Wire) => item.type === "function_call")
          .map((item: Wire) => ({
            type: "function_call_output",
            call_id: item.call_id,
            output: result(item.name, parse(item.arguments)),
          })),
      ],
    }),
    withUser: (request: Wire, answer, prompt) => ({
      ...request,
      input: [...request.input, ...answer.output, { role: "user", content: prompt }],
    }),
    calls: (answer) => answer.output.filter((item: Wire) => item.type === "function_call").length,
  },
  messages: {
    first: (prompt) => ({
      max_tokens: 4096,
      messages: [{ role: "user", content: prompt }],
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
      tools: [{ name: "get_weather", input_schema: parameters }],
    }),
    withResults: (request: Wire, answer, result) => ({
      ...request,
      messages: [
        ...request.messages,
        { role: "assistant", content: answer.content },
        {
          role: "user",
          content: answer.content
            .filter((block: Wire) => block.type === "tool_use")
            .map((block: Wire) => ({
              type: "tool_result",
              tool_use_id: block.id,
              content: result(block.name, block.input),
            })),
        },
      ],
    }),
    withUser: (request: Wire, answer, prompt) => ({
      ...request,
      messages: [
        ...request.messages,
        { role: "assistant", content: answer.content },
        { role: "user", content: prompt },
      ],
    }),
    calls: (answer) => answer.content.filter((block: Wire) => block.type === "tool_use").length,
  },
  "generate-content": {
    first: (prompt) => ({
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" } },
      tools: [{ functionDeclarations: [{ name: "get_weather", parametersJsonSchema: parameters }] }],
    }),
    withResults: (request: Wire, answer, result) => ({
      ...request,
      contents: [
        ...request.contents,
        answer.candidates[0].content,
        {
          role: "user",
          parts: answer.candidates[0].content.parts
            .filter((part: Wire) => part.functionCall)
            .map(({ functionCall }: Wire) => ({
              functionResponse: {
                ...(functionCall.id ? { id: functionCall.id } : {}),
                name: functionCall.name,
                response: { output: result(functionCall.name, functionCall.args) },
              },
            })),
        },
      ],
    }),
    withUser: (request: Wire, answer, prompt) => ({
      ...request,
      contents: [...request.contents, answer.candidates[0].content, { role: "user", parts: [{ text: prompt }] }],
    }),
    calls: (answer) => answer.candidates[0].content.parts.filter((part: Wire) => part.functionCall).length,
  },
};
