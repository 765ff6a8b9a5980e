const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The value of each character, for the standard and the URL-safe alphabet alike. */
const values = new Map<string, number>([...alphabet].map((character, value) => [character, value]));
values.set("-", 62);
values.set("_", 63);

/** Standard base64 with padding. Own code: `Buffer` and `btoa` are not everywhere. */
export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i] ?? 0;
    const b = bytes[i + 1] ?? 0;
    const c = bytes[i + 2] ?? 0;
    const left = bytes.length - i;
    pieces.push(
      alphabet.charAt(a >> 2),
      alphabet.charAt(((a & 3) << 4) | (b >> 4)),
      left > 1 ? alphabet.charAt(((b & 15) << 2) | (c >> 6)) : "=",
      left > 2 ? alphabet.charAt(c & 63) : "=",
    );
  }
  return pieces.join("");
}

/** Bytes of base64 text in the standard or the URL-safe alphabet, padded or not; undefined for anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const end = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  if (end % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < end; i += 1) {
    const value = values.get(text.charAt(i));
    if (value === undefined) return undefined;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (held >> bits) & 0xff;
    at += 1;
  }
  return bytes;
}
