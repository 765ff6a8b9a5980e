import type { UpstreamFailure } from "../codec.ts";
import { refusalText } from "./refused-field.ts";

/** How providers say that they do not take a proof back. Some hosts drop the code, so the words are looked at as well. */
const wordings: readonly RegExp[] = [
  /invalid_encrypted_content/,
  /encrypted[ _]content .{0,200}(could not be|cannot be|can't be|is not|invalid|mismatch|did not match)/is,
  /(could not|cannot) be (verified|decrypted)/i,
  /\bbound to a different conversation/i,
  /\bwas not issued to this caller/i,
  // Not "function signature" and the like: it must be said of the signature that it is wrong or missing.
  /(invalid|corrupt(ed)?|missing|expired|malformed|mismatched) [^.\n]{0,40}(\b|`|_)signature/i,
  /(\b|`|_|thought)signature[`'"]?\s[^.\n]{0,40}(invalid|corrupt|not valid|mismatch|expired|does not match|malformed)/i,
  /thought_?signature[^.\n]{0,40}Base64 decoding failed/i,
  /redacted_thinking`? blocks[^.\n]{0,60}cannot be modified/i,
  /invalid [^.\n]{0,20}`data`[^.\n]{0,20}redacted_thinking/i,
  /Item with id '?rs_[^\n]{0,200}not found/i,
];

/** Whether an upstream refused a request for a reasoning proof in it (conversion.md 2.5). */
export function isRefusedProof(failure: UpstreamFailure): boolean {
  const { status } = failure;
  if (status !== 400 && status !== 404 && status !== 422) return false;
  const text = refusalText(failure);
  return wordings.some((wording) => wording.test(text));
}
