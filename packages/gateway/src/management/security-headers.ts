import type { Platform } from "../platform.ts";

const nonceBytes = 18;

/** A new nonce for the style elements of one page. */
export function newNonce({ randomBytes }: Pick<Platform, "randomBytes">): string {
  return Buffer.from(randomBytes(nonceBytes)).toString("base64");
}

/**
 * What a page may load and run: our own files alone, and style elements that bear the nonce (S6). What a browser refuses by
 * it is reported to us.
 */
export function contentSecurityPolicy(styleNonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    styleNonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "report-uri /api/csp-reports",
  ].join("; ");
}

/** What every answer of the console and of the management API bears (reliability.md 6.3, S6). */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy(),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};
