/**
 * The names of the console's cookies. `__Host-` binds a cookie to one host over TLS; without TLS browsers refuse such a
 * name. `url`: where browsers reach the console, null on this machine alone, by http.
 */
export function cookieNames(url: string | null): { secure: boolean; session: string; prefix: string } {
  const secure = url?.startsWith("https:") ?? false;
  const prefix = secure ? "__Host-" : "interlingua-";
  return { secure, session: `${prefix}sid`, prefix: `${prefix}sign-in` };
}

/** The value of a cookie in a `cookie` header, decoded; undefined where it is not there or no text. */
export function cookieValue(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      // Percent signs that make no sense: no cookie of ours.
      return undefined;
    }
  }
  return undefined;
}
