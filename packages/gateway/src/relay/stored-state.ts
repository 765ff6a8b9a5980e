import {
  type CanonicalRequest,
  type DecodeRequestContext,
  type JsonObject,
  type Notice,
  ProtocolError,
} from "@interlingua/protocols";
import { refersToStored, withHistory, withoutOwnMarks } from "../stored-responses/history.ts";
import type { RelayContext } from "./context.ts";
import type { CallHistory, IncomingCall } from "./incoming-call.ts";
import { limitReached } from "./own-errors.ts";

type Context = Pick<RelayContext, "storedResponses" | "counters">;

/**
 * The call with everything in it that it refers to and that is stored here, and with what keeps its answer where its
 * caller wants that (conversion.md R1, R2, R5). Of most calls that is the call itself, at once: nothing is read. What is
 * read counts as a read of the key, so that a caller beyond its limits costs none. Rejects with a `ProtocolError` then, and
 * with a StorageError.
 */
export function withStoredState(context: Context, call: IncomingCall): IncomingCall | Promise<IncomingCall> {
  if (call.client !== "responses") return call;
  return refersToStored(call.document.value) ? withReferences(context, call) : withKeeper(context, call);
}

async function withReferences(context: Context, call: IncomingCall): Promise<IncomingCall> {
  const { key, document } = call;
  const admission = await context.counters.admitRead({ keyId: key.id, limits: key.limits, account: key.account });
  if (!admission.ok) throw new ProtocolError(limitReached(admission.refused));
  const { value } = document;
  const found = await withHistory(context.storedResponses, key.accountId, value);
  if (!found) return withKeeper(context, call);
  const { body, inputPlaces } = found;
  const previousId = typeof value.previous_response_id === "string" ? value.previous_response_id : null;
  const whole = withoutOwnMarks(body);
  const known = { value: whole, bytes: Buffer.from(JSON.stringify(whole)) };
  return withKeeper(context, { ...call, document: known, history: { inputPlaces, previousId } }, body);
}

/** `body`: what is kept with the answer. */
function withKeeper({ storedResponses }: Context, call: IncomingCall, body = call.document.value): IncomingCall {
  const size = call.document.bytes.length;
  const keeper = storedResponses.keeperFor(call.key.accountId, { body, size });
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
