/** Stands for "there is no signature" on a call that another model made (generate-content.md 11). */
export const absentSignature = "skip_thought_signature_validator";

const absent: ReadonlySet<string> = new Set([
  absentSignature,
  "context_engineering_is_the_way_to_go",
  // The same as bytes.
  "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
  "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
]);

/** Whether a value is one of the documented stand-ins. Clients that keep bytes may write it in the other base64 alphabet. */
export function isAbsentSignature(value: string): boolean {
  return absent.has(value) || absent.has(value.replaceAll("/", "_"));
}
