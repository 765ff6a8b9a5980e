import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { createAddressFilter, isAddressRange, plainAddress } from "../config/address-ranges.ts";
import type { OutboundSettings } from "../config/config.ts";
import { addressKind } from "./outbound-addresses.ts";

/**
 * Keeps channels that are made in the console, and media that callers name by addresses, away from everything but the
 * internet, and what the configuration allows (S3).
 */
export interface OutboundGuard {
  /** Why a base address must not be used, as the end of a sentence about it; undefined where it may be. Asks no name server. */
  refusal(baseUrl: string): string | undefined;
  /** Opens connections to this origin: to addresses that were checked, each time anew, and no others. */
  connector(origin: string, connectTimeoutMs: number): buildConnector.connector;
}

/** What of the machine decides where a name leads and who is believed to be it. */
export interface Network {
  /** Finds the addresses of a name. The system's unless told otherwise. */
  lookup?: LookupFunction;
  /** Certificates that are trusted in the place of the system's, as PEM. */
  ca?: string;
}

export interface OutboundGuardOptions extends Network {
  settings: OutboundSettings;
}

/** Names under which clouds offer their metadata. */
const metadataHosts: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog", "instance-data"]);

/** The connection was not made, since it would have led where the gateway may not go. */
class BlockedAddress extends Error {
  readonly code = "ERR_ADDRESS_NOT_ALLOWED";
}

export function createOutboundGuard({ settings, lookup = systemLookup, ca }: OutboundGuardOptions): OutboundGuard {
  const ranges = createAddressFilter(settings.allow.filter(isAddressRange));
  const hosts = new Set(settings.allow.filter((entry) => !isAddressRange(entry)));

  const isNamed = ({ host, port }: Place) =>
    hosts.has(host) ||
    hosts.has(`${host}:${port}`) ||
    hosts.has(`[${host}]:${port}`) ||
    (isIP(host) !== 0 && ranges.allows(host));
  const isAllowed = (place: Place, address: string) => {
    const plain = plainAddress(address);
    switch (addressKind(plain)) {
      case "metadata":
        return false;
      case "public":
        return true;
      case "internal":
        return ranges.allows(plain) || isNamed(place);
    }
  };

  return {
    refusal(baseUrl) {
      if (!URL.canParse(baseUrl)) return "is no address";
      const url = new URL(baseUrl);
      if (url.username !== "" || url.password !== "") return "must not hold a user or password";
      const place = placeOf(url);
      const named = isNamed(place);
      if (url.protocol !== "https:" && !(named && url.protocol === "http:")) {
        return "must begin with https://, or its host be named in the configuration's outbound.allow";
      }
      if (place.port !== 443 && !named) {
        return "must use port 443, or its host be named in the configuration's outbound.allow";
      }
      const inward = "leads to an internal address that the configuration's outbound.allow does not name";
      if (metadataHosts.has(place.host)) return inward;
      return isIP(place.host) !== 0 && !isAllowed(place, place.host) ? inward : undefined;
    },
    connector(origin, connectTimeoutMs) {
      const place = placeOf(new URL(origin));
      const blocked = (address: string) =>
        new BlockedAddress(`${place.host} leads to ${address}, where the gateway may not go`);
      const checkedLookup: LookupFunction = (hostname, options, callback) => {
        lookup(hostname, { ...options, all: true }, (error, found) => {
          if (error) return callback(error, "", 0);
          const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
          const bad = addresses.find(({ address }) => !isAllowed(place, address));
          if (bad) return callback(blocked(bad.address), "", 0);
          if (options.all) return callback(null, addresses);
          const [first] = addresses;
          return first ? callback(null, first.address, first.family) : callback(blocked("nothing"), "", 0);
        });
      };
      const trust = ca === undefined ? {} : { ca };
      const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup: checkedLookup, ...trust });
      return (options, callback) => {
        // A host that is an address is never looked up.
        if (isIP(place.host) !== 0 && !isAllowed(place, place.host)) return callback(blocked(place.host), null);
        return connect(options, (error, socket) => {
          if (error !== null) return callback(error, null);
          const peer = socket.remoteAddress ?? "";
          if (isAllowed(place, peer)) return callback(null, socket);
          socket.destroy();
          return callback(blocked(peer), null);
        });
      };
    },
  };
}

interface Place {
  /** Without the brackets of an IPv6 address and the dot of a full name. */
  host: string;
  port: number;
}

function placeOf(url: URL): Place {
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return { host, port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port) };
}
