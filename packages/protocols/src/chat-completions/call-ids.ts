import { sha256Hex } from "../shared/sha256.ts";

/** An id of nine letters and digits, as Mistral wants them: such a one as it is, any other by its hash. */
export function shortCallId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : `c${sha256Hex(id).slice(0, 8)}`;
}
