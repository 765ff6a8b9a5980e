import type { CanonicalRequest, DecodeRequestContext, JsonObject, Notice } from "@interlingua/protocols";
import { refersToStored, withHistory } from "../stored-responses/history.ts";
import type { RelayContext } from "./context.ts";
import type { CallHistory, IncomingCall } from "./incoming-call.ts";

type Stored = RelayContext["storedResponses"];

/**
 * The call with everything in it that it refers to and that is stored here, and with what keeps its answer where its
 * caller wants that (conversion.md R1, R2, R5). Of most calls that is the call itself, at once: nothing is read.
 * Rejects with a StorageError.
 */
export function withStoredState(stored: Stored, call: IncomingCall): IncomingCall | Promise<IncomingCall> {
  if (call.client !== "responses") return call;
  return refersToStored(call.document.value) ? withReferences(stored, call) : withKeeper(stored, call);
}

async function withReferences(stored: Stored, call: IncomingCall): Promise<IncomingCall> {
  const { value } = call.document;
  const found = await withHistory(stored, call.key.accountId, value);
  if (!found) return withKeeper(stored, call);
  const { body, inputPlaces } = found;
  const previousId = typeof value.previous_response_id === "string" ? value.previous_response_id : null;
  const document = { value: body, bytes: Buffer.from(JSON.stringify(body)) };
  return withKeeper(stored, { ...call, document, history: { inputPlaces, previousId } });
}

function withKeeper(stored: Stored, call: IncomingCall): IncomingCall {
  const { bytes, value } = call.document;
  const keeper = stored.keeperFor(call.key.accountId, { body: value, size: bytes.length });
  return keeper ? { ...call, keeper } : call;
}

/** Lets the decoder name items as the caller does. */
export function places({ history }: IncomingCall): Pick<DecodeRequestContext, "inputPlaces"> {
  return history ? { inputPlaces: history.inputPlaces } : {};
}

/** The body whose settings an answer repeats: it names the earlier response, as the caller did. */
export function echoedBody({ document, history }: IncomingCall): JsonObject {
  return history ? { ...document.value, previous_response_id: history.previousId } : document.value;
}

/** A provider that goes on from what is stored here keeps its answer as it would have: unless told not to. */
export function keptByProvider(request: CanonicalRequest, { document }: IncomingCall): CanonicalRequest {
  return { ...request, state: { ...request.state, store: document.value.store !== false } };
}

/** What was done to a request that goes to a provider of the same protocol. */
export function historyNotice({ previousId }: CallHistory): Notice {
  return {
    field: previousId === null ? "input" : "previous_response_id",
    verdict: "emulated",
    detail: "The gateway keeps what this refers to, and put it into the input.",
  };
}
