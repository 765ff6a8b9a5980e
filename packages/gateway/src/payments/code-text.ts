import { createHmac, hkdfSync } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Secret, secretsOf } from "../accounts/secret.ts";

/*
 * A code reads `ilr_` and 32 letters and digits: 26 that are drawn (130 bits) and 6 that check them. They are of
 * Crockford's base 32, which people read aloud and type: capital letters do not matter, o is 0, i and l are 1.
 */

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const drawn = 26;
const checked = 6;
const form = /^ilr_([0-9abcdefghjkmnpqrstvwxyz]{26})([0-9abcdefghjkmnpqrstvwxyz]{6})$/;

/** A fresh code from a source of randomness that is fit for secrets. */
export function createCodeText(randomBytes: (size: number) => Uint8Array): string {
  // 32 divides 256: every digit is as likely as any other.
  const body = Array.from(randomBytes(drawn), (byte) => digits.charAt(byte % 32)).join("");
  return `ilr_${body}${checksum(body)}`;
}

/** A code as it was given out, or undefined where the text can be none: another form, cut, mistyped. */
export function readCodeText(text: string): string | undefined {
  if (text.length > 100) return undefined;
  const [, prefix, rest = ""] = /^(ilr_)(.*)$/is.exec(text.trim()) ?? [];
  if (prefix === undefined) return undefined;
  const typed = rest.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  const code = `ilr_${typed}`;
  const match = form.exec(code);
  return match && match[2] === checksum(match[1] ?? "") ? code : undefined;
}

/** The digest that is stored of a code, and behind it those that former secrets of the installation would have made. */
export type CodeDigests = (code: string) => readonly [Uint8Array, ...Uint8Array[]];

/** Turns codes into digests: HMAC-SHA-256, 32 bytes. Without the secret they cannot be tried. */
export function createCodeDigests(secret: Pick<Secret, "bytes" | "former">): CodeDigests {
  const digestBy = (bytes: Uint8Array) => {
    const key = Buffer.from(hkdfSync("sha256", bytes, "", "interlingua redemption code 1", 32));
    return (code: string) => createHmac("sha256", key).update(code).digest();
  };
  const [current, ...former] = secretsOf(secret);
  const digest = digestBy(current);
  const others = former.map(digestBy);
  return (code) => [digest(code), ...others.map((other) => other(code))];
}

/** The low 30 bits of the CRC-32. It finds slips, it protects nothing. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < checked; place++) {
    text = digits.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
