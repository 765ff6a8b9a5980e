import type { ProtocolName } from "@interlingua/protocols";

/** A small request whose prompt bears a mark, by which the provider's bill can be held against it. */
export interface MarkedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Marked {
  protocol: ProtocolName;
  model: string;
  stream: boolean;
  marker: string;
  key: string;
  /** The highest number of tokens of the answer. */
  maxTokens?: number;
  /** For the responses protocol: the answer is to be kept. */
  keep?: boolean;
  /** The id of the kept answer that this goes on from. */
  after?: string | undefined;
}

const padding = " Some more words, so that a prompt is no shorter than the provider says.".repeat(4);

export function markedRequest(marked: Marked): MarkedRequest {
  const { protocol, model, stream, marker, key, maxTokens = 200, keep = false, after } = marked;
  const prompt = `${marker}.${padding}`;
  const streamed = stream ? { stream: true } : {};
  const bearer = { "content-type": "application/json", authorization: `Bearer ${key}` };
  switch (protocol) {
    case "chat-completions": {
      const messages = [{ role: "user", content: prompt }];
      const body = { model, ...streamed, max_completion_tokens: maxTokens, messages };
      return { path: "/v1/chat/completions", headers: bearer, body: JSON.stringify(body) };
    }
    case "responses": {
      const from = after === undefined ? {} : { previous_response_id: after };
      const body = { model, ...streamed, max_output_tokens: maxTokens, store: keep, ...from, input: prompt };
      return { path: "/v1/responses", headers: bearer, body: JSON.stringify(body) };
    }
    case "messages": {
      const body = { model, ...streamed, max_tokens: maxTokens, messages: [{ role: "user", content: prompt }] };
      const headers = { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" };
      return { path: "/v1/messages", headers, body: JSON.stringify(body) };
    }
    case "generate-content": {
      const body = {
        contents: [{ role: "user", parts: [{ text: prompt }] }],
        generationConfig: { maxOutputTokens: maxTokens },
      };
      const action = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      const headers = { "content-type": "application/json", "x-goog-api-key": key };
      return { path: `/v1beta/models/${model}:${action}`, headers, body: JSON.stringify(body) };
    }
  }
}
