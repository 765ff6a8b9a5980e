import {
  type CanonicalRequest,
  codecs,
  type EncodeRequestContext,
  type JsonObject,
  type ProtocolName,
} from "@interlingua/protocols";

/** Where a protocol writes the most tokens of an answer: the caller's own spelling, else the one that the model takes. */
export function withOutputCap(
  protocol: ProtocolName,
  body: JsonObject,
  request: CanonicalRequest,
  context: EncodeRequestContext,
  cap: number,
): { value: JsonObject; field: string } {
  switch (protocol) {
    case "chat-completions": {
      const field = chatField(body, request, context, cap);
      return { value: { ...body, [field]: cap }, field };
    }
    case "responses":
      return { value: { ...body, max_output_tokens: cap }, field: "max_output_tokens" };
    case "messages":
      return { value: { ...body, max_tokens: cap }, field: "max_tokens" };
    case "generate-content": {
      const place = body.generation_config === undefined ? "generationConfig" : "generation_config";
      const config = body[place];
      const own = typeof config === "object" && config !== null && !Array.isArray(config) ? config : {};
      const name = own.max_output_tokens === undefined ? "maxOutputTokens" : "max_output_tokens";
      return { value: { ...body, [place]: { ...own, [name]: cap } }, field: `${place}.${name}` };
    }
  }
}

/** Reasoning models refuse the old name, and compatible servers know only the old one: the codec knows which is which. */
function chatField(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext, cap: number): string {
  const spelt = ["max_tokens", "max_completion_tokens"].find((name) => body[name] !== undefined);
  if (spelt !== undefined) return spelt;
  const capped = { ...request, maxOutputTokens: cap };
  const encoded = codecs["chat-completions"].encodeRequest(capped, context);
  return encoded.body.max_completion_tokens === undefined ? "max_tokens" : "max_completion_tokens";
}
