import { codecs, type JsonObject, type ProtocolName } from "@interlingua/protocols";
import type { AuthenticatedKey } from "../accounts/auth-result.ts";
import type { Candidate } from "../channels/route-plan.ts";
import type { AnswerKeeper } from "../stored-responses/stored-responses.ts";

/** What is known of a call before its body is read. */
export interface CallHead {
  /** Minted here; the caller sees it as `x-request-id` and in errors. */
  id: string;
  client: ProtocolName;
  key: AuthenticatedKey;
  /** Wall clock, unix milliseconds. */
  startedAt: number;
  /** Monotonic milliseconds of the same moment. */
  started: number;
  /** The request's own wish, else the key's setting. */
  lossy: "allow" | "refuse";
  /** What stands in the path instead of the body (generateContent). */
  envelope: { model?: string; stream?: boolean };
  framing: "sse" | "json-array";
  /** The caller wants the call to run at most once under this word (M8). */
  idempotencyKey: string | null;
  /** The caller's protocol headers, for an upstream of the same protocol only. */
  protocolHeaders: Readonly<Record<string, string>>;
}

/** A body that has passed the guard. */
export interface CallDocument {
  /** As the caller wrote it (decoded, without a byte order mark): what the direct lane sends on. */
  bytes: Buffer;
  value: JsonObject;
  /** Byte range of the top-level `model` string, quotes included. */
  model?: { start: number; end: number };
}

/** What was put into a call's document out of stored responses. */
export interface CallHistory {
  /** What each item of `input` is called in the request as the caller wrote it. */
  inputPlaces: readonly string[];
  /** Its `previous_response_id`, which the document has no more; null where it had none. */
  previousId: string | null;
}

export interface IncomingCall extends CallHead {
  document: CallDocument;
  /** The protocol that the body is written in, where that is not the one the caller is answered in. */
  written?: ProtocolName;
  /** Absent: the document is as the caller wrote it. */
  history?: CallHistory;
  /** Keeps the answer, where the caller wants that and the call is converted. */
  keeper?: AnswerKeeper;
}

/** The protocol whose words the caller's body uses. */
export function writtenIn({ client, written }: Pick<IncomingCall, "client" | "written">): ProtocolName {
  return written ?? client;
}

/**
 * Whether a call goes to this upstream as it is: body and answer are both of the upstream's protocol. Not so where it goes
 * on from what is stored here and its answer is to be kept: the conversation stays here, so that it can go anywhere.
 */
export function goesDirect(call: IncomingCall, { protocol, channel, upstreamModel }: Candidate): boolean {
  if (call.written !== undefined || call.client !== protocol || staysHere(call)) return false;
  return !codecs[protocol].mustConvert?.(channel.traits(protocol, upstreamModel));
}

/** An answer in the background is the provider's alone: nobody waits for it here. */
function staysHere({ history, keeper, document }: IncomingCall): boolean {
  return history !== undefined && keeper !== undefined && document.value.background !== true;
}
