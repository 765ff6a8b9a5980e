import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { createAddressFilter, plainAddress } from "../config/address-ranges.ts";

/** Tells where a request comes from. */
export type ClientAddress = (message: Pick<IncomingMessage, "headers" | "socket">) => string;

/**
 * The caller's address: that of the connection, or where the connection comes from a trusted proxy, what the proxy tells in
 * `X-Forwarded-For`. The header is read from the right, as each proxy adds at its end, up to the first address that is no
 * trusted proxy: what stands further left a caller may have invented. Empty where the connection is gone.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const connection: ClientAddress = ({ socket }) => plainAddress(socket.remoteAddress ?? "");
  if (trustedProxies.length === 0) return connection;
  const trusted = createAddressFilter(trustedProxies);
  return (message) => {
    let address = connection(message);
    const header = message.headers["x-forwarded-for"];
    const told = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",");
    while (trusted.allows(address)) {
      const next = addressOf(told.pop());
      // What is no address was not written by a proxy that keeps to the rule: the last one that was is believed.
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

/** `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7` and `[2001:db8::7]:4711`, as proxies write them. */
function addressOf(entry: string | undefined): string | undefined {
  const text = entry?.trim() ?? "";
  const bare = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(text)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(text)?.[1] ?? text;
  const address = plainAddress(bare);
  return isIP(address) === 0 ? undefined : address;
}
