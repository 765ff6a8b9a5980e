import { codecs, type JsonObject, ProtocolError, plainVault, protocolNames } from "@interlingua/protocols";
import { type Handover, handoverOf } from "./conversation.ts";

/** Where another page leaves the request that it wants opened here: `{ protocol, model, body }`. */
const place = "playground.request";

/** Takes what another page has left, once. A text: why it cannot be opened. */
export function takeHandover(): Handover | string | undefined {
  const left = sessionStorage.getItem(place);
  if (left === null) return undefined;
  sessionStorage.removeItem(place);
  const value: unknown = JSON.parse(left);
  if (typeof value !== "object" || value === null) return left;
  const { protocol, model, body } = { protocol: undefined, model: undefined, body: undefined, ...value };
  const known = protocolNames.find((name) => name === protocol);
  if (known === undefined || typeof body !== "object" || body === null) return left;
  // What came out of JSON and is no list is an object of JSON.
  return openRequest(known, body as JsonObject, typeof model === "string" ? model : "");
}

/** A request as a conversation, or a text that says why it is none. */
export function openRequest(
  protocol: (typeof protocolNames)[number],
  body: JsonObject,
  model: string,
): Handover | string {
  try {
    // Three of the protocols name the model in the body; whoever hands a request over may have chosen another.
    const named = protocol === "generate-content" || model === "" ? body : { ...body, model };
    const request = codecs[protocol].decodeRequest(named, { model }, { vault: plainVault() });
    return handoverOf(protocol, request);
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
}
