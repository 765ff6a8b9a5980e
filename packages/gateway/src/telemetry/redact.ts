/*
 * The second line of defence of S1: the first is that secrets are never handed to the log. What looks like a credential
 * or a query string is masked wherever text of unknown origin (an error's message, a stack) is shown.
 */

const patterns: readonly (readonly [RegExp, string])[] = [
  // Our own keys and the providers' usual forms.
  [/\b(ilk|ilr|whsec)_[A-Za-z0-9_]+/g, "$1_***"],
  [/\b(sk|xai|gsk|pk|rk)-[A-Za-z0-9_-]{8,}/g, "$1-***"],
  [/\bAIza[A-Za-z0-9_-]{10,}/g, "AIza***"],
  [/\b(Bearer|Basic) +[^\s"',;]+/gi, "$1 ***"],
  // Credentials in headers, settings and addresses.
  [
    /\b((?:x-)?(?:goog-|partner-)?api[-_]?key|authorization|password|secret|token)(["']?\s*[:=]\s*["']?)(?!Bearer |Basic )[^\s"',;&]+/gi,
    "$1$2***",
  ],
  [/\/\/[^\s/@"']+@/g, "//***@"],
  // Queries of addresses and of request targets: a path, then a question mark, then name=value.
  [/(\/[^\s?"'<>]*)\?[^\s"'<>]*=[^\s"'<>]*/g, "$1?***"],
];

/** The text with everything masked that looks like a secret. */
export function redact(text: string): string {
  let safe = text;
  for (const [pattern, mask] of patterns) safe = safe.replace(pattern, mask);
  return safe;
}
