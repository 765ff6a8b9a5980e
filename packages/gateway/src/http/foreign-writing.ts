import type { JsonObject } from "@interlingua/protocols";
import type { IncomingCall } from "../relay/incoming-call.ts";

/**
 * Some editors (Cursor's agent mode, with an address of one's own) post a body of the responses protocol to the address of
 * chat completions, and read the answer as one of chat completions. `input` without `messages` tells (conversion.md 5.6).
 */
export function foreignWriting(client: IncomingCall["client"], body: JsonObject): Pick<IncomingCall, "written"> {
  const isResponses = client === "chat-completions" && body.input !== undefined && body.messages === undefined;
  return isResponses ? { written: "responses" } : {};
}
