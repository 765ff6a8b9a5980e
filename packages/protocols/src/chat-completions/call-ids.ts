import { sha256Hex } from "../shared/sha256.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";

/** The vendor's limit is 40 on this protocol, though 64 elsewhere. */
const rule = { pattern: /^[\x21-\x7e]+$/, maxLength: 40, prefix: "call_" };

/** An id that the vendor takes: a legal one as it is. Clients get such ids too, because they send them back to anyone. */
export function legalCallId(id: string): string {
  return wireCallId(id, rule);
}

/** An id of nine letters and digits, as Mistral wants them: such a one as it is, any other by its hash. */
export function shortCallId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : `c${sha256Hex(id).slice(0, 8)}`;
}
