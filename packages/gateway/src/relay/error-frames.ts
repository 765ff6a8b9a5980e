import { type CanonicalError, codecs, type JsonObject, type ProtocolName } from "@interlingua/protocols";

/**
 * The frames that end a running stream by an error (S24), where no stream encoder holds the answer's state. `response` is
 * what is known of a responses answer: its own object and the number of its last event.
 */
export function errorFrames(
  family: ProtocolName,
  error: CanonicalError,
  callId: string,
  response?: { value: JsonObject; sequence: number },
): string {
  const { body } = codecs[family].encodeError(error, callId);
  switch (family) {
    case "chat-completions":
    case "generate-content":
      return `data: ${JSON.stringify(body)}\n\n`;
    case "messages":
      return `event: error\ndata: ${JSON.stringify(body)}\n\n`;
    case "responses":
      return responsesFailure(error, response);
  }
}

function responsesFailure(error: CanonicalError, response?: { value: JsonObject; sequence: number }): string {
  const code = error.code ?? "server_error";
  if (!response) {
    const event = { type: "error", code, message: error.message, param: error.param ?? null, sequence_number: 0 };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  }
  const failed = { ...response.value, status: "failed", error: { code, message: error.message } };
  const event = { type: "response.failed", sequence_number: response.sequence + 1, response: failed };
  return `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`;
}
