import { expect, test } from "vitest";
import { createClientAddress } from "./client-address.ts";

const addressOf = (trusted: string[], connection: string | undefined, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  // Only what is read of a request.
  const message = { headers, socket: { remoteAddress: connection } } as Parameters<
    ReturnType<typeof createClientAddress>
  >[0];
  return createClientAddress(trusted)(message);
};
const proxies = ["10.0.0.0/8", "2001:db8:1::/48"];

test.each([
  ["no proxy is trusted", [], "192.0.2.7", "203.0.113.9", "192.0.2.7"],
  ["the connection is no trusted proxy's", proxies, "192.0.2.7", "203.0.113.9", "192.0.2.7"],
  ["the proxy tells it", proxies, "10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["the caller has invented some", proxies, "10.0.0.1", "10.9.9.9, 198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["there are several proxies", proxies, "10.0.0.1", "203.0.113.9, 10.0.0.3, 10.0.0.2", "203.0.113.9"],
  ["all are proxies", proxies, "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["the proxy tells none", proxies, "10.0.0.1", undefined, "10.0.0.1"],
  ["the proxy tells nonsense", proxies, "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
  ["nonsense stands before a proxy", proxies, "10.0.0.1", "for=203.0.113.9, 10.0.0.2", "10.0.0.2"],
  ["the header is empty", proxies, "10.0.0.1", " , ", "10.0.0.1"],
  ["a port is told, too", proxies, "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["IPv6 with a port", proxies, "2001:db8:1::1", "[2001:db8:9::7]:4711", "2001:db8:9::7"],
  ["IPv6 without", proxies, "2001:db8:1::1", "2001:db8:9::7", "2001:db8:9::7"],
  ["the socket shows IPv4 in IPv6", proxies, "::ffff:10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
  ["the connection is gone", proxies, undefined, "203.0.113.9", ""],
])("A6 where %s", (_case, trusted, connection, forwarded, expected) => {
  expect(addressOf(trusted, connection, forwarded)).toBe(expected);
});
