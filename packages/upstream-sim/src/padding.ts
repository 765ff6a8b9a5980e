const PAD = "simulatedpadding";

/** The `obfuscation` text that hides the length of a delta: pads it to a multiple of 16. */
export function padding(length: number): string {
  return PAD.slice(0, PAD.length - (length % PAD.length));
}
