import { createHmac, timingSafeEqual } from "node:crypto";

/** Why a signature is not taken. */
export type SignatureProblem = "missing" | "malformed" | "wrong" | "too_old";

export interface SignedBody {
  /** `t=<unix seconds>,v1=<hex>`, with further `v1` while a secret is being changed. Parts of other names do not count. */
  header: string | undefined;
  /** The bytes as they came. */
  body: Uint8Array;
  secret: string;
  /** Unix milliseconds. */
  now: number;
  toleranceMs: number;
}

/** More are no change of a secret. */
const mostSignatures = 8;

/**
 * Checks an HMAC-SHA-256 over `<t>.<body>` (M13), which is how Stripe signs its webhooks
 * (https://docs.stripe.com/webhooks#verify-manually). Undefined: it is good.
 */
export function checkSignature({ header, body, secret, now, toleranceMs }: SignedBody): SignatureProblem | undefined {
  if (header === undefined) return "missing";
  const parts = header.length > 2048 ? [] : header.split(",").map(partOf);
  const times = valuesOf(parts, "t");
  const signatures = valuesOf(parts, "v1");
  const [time] = times;
  if (time === undefined || times.length > 1 || !/^[0-9]{1,12}$/.test(time)) return "malformed";
  if (signatures.length === 0 || signatures.length > mostSignatures) return "malformed";
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  let good = false;
  // All are compared, so that the time tells nothing about which of them was nearly right.
  for (const signature of signatures) if (isSame(signature, expected)) good = true;
  if (!good) return "wrong";
  return Math.abs(now - Number(time) * 1000) > toleranceMs ? "too_old" : undefined;
}

function partOf(text: string): { name: string; value: string } {
  const at = text.indexOf("=");
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

function valuesOf(parts: readonly { name: string; value: string }[], name: string): string[] {
  return parts.filter((part) => part.name === name).map((part) => part.value);
}

function isSame(signature: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), expected);
}
