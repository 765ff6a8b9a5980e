import { crc32 } from "node:zlib";

/*
 * An access key reads `ilk_<public id>_<secret>_<checksum>`: 10, 43 and 6 letters and digits. One word to a double
 * click, safe in a URL and a shell. 43 of 62 signs hold 256 bits. The prefix and the checksum let secret scanners find
 * a leaked key, and let a mistyped one be refused without asking the database (reliability.md 6.1).
 */

const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^ilk_([0-9A-Za-z]{10})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/;

/** A fresh key from a source of randomness that is fit for secrets. */
export function createKeyText(randomBytes: (size: number) => Uint8Array): { key: string; publicId: string } {
  const publicId = randomSigns(10, randomBytes);
  const body = `ilk_${publicId}_${randomSigns(43, randomBytes)}`;
  return { key: `${body}_${checksum(body)}`, publicId };
}

/** The public id of a whole key, or undefined when the text is none: wrong form, cut, mistyped. */
export function publicIdOf(key: string): string | undefined {
  const match = form.exec(key);
  if (!match || match[2] !== checksum(key.slice(0, -7))) return undefined;
  return match[1];
}

/** CRC-32 of the key up to its last underscore, in base 62. It finds slips, it protects nothing. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < 6; place++) {
    text = signs.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Signs of equal probability: bytes that would favour the first ones are thrown away. */
function randomSigns(length: number, randomBytes: (size: number) => Uint8Array): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < 248) text += signs.charAt(byte % 62);
    }
  }
  return text;
}
