import type { IncomingHttpHeaders } from "node:http";

/** Names of this machine, with any port; as the sign-in library writes patterns. */
export const loopbackHosts = ["localhost", "localhost:*", "127.0.0.1", "127.0.0.1:*", "[::1]", "[::1]:*"] as const;

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i;

/**
 * The origin under which a request reached the console, or undefined where there is no console under this host. With a
 * configured address it is that one, whatever a proxy in front makes of the host; without one the console is there for
 * this machine alone, so that a foreign name that leads here gets nothing.
 */
export function originOf(headers: IncomingHttpHeaders, url: string | null): string | undefined {
  if (url !== null) return url;
  const { host } = headers;
  return host !== undefined && loopbackHost.test(host) ? `http://${host.toLowerCase()}` : undefined;
}

/** Whether a request that changes something comes from a page of ours (S7): by `Origin`, else by `Sec-Fetch-Site`. */
export function isFromOurPage(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  return headers.origin === undefined ? site === "same-origin" : headers.origin.toLowerCase() === origin;
}
