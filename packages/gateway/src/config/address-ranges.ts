import { BlockList, isIP } from "node:net";

/** Addresses that are let through. */
export interface AddressFilter {
  /** Whether an address as `plainAddress` gives it is one of them. Never throws. */
  allows(address: string): boolean;
}

/** Whether a text is an address or a range such as `10.0.0.0/8` or `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  return readRange(text) !== undefined;
}

/** The filter of these addresses and ranges; none of them lets nobody through. Throws where one is no range. */
export function createAddressFilter(ranges: readonly string[]): AddressFilter {
  // Apart: in one list a range of IPv6 would hold IPv4 addresses, too, as the ones inside of it.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of ranges) {
    const range = readRange(text);
    if (!range) throw new Error(`${JSON.stringify(text)} is neither an address nor a range of addresses`);
    lists[range.family].addSubnet(range.address, range.prefix, range.family);
  }
  return {
    allows(address) {
      const family = familyOf(address);
      return family !== undefined && lists[family].check(address, family);
    },
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? "ipv4" : "ipv6";
}

/** An address without the zone, and an IPv4 address as such where a socket shows it inside an IPv6 one. */
export function plainAddress(address: string): string {
  const plain = address.split("%", 1)[0] ?? "";
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(plain);
  return mapped?.[1] ?? plain;
}

function readRange(text: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } | undefined {
  const match = /^([0-9a-fA-F:.]+)(?:\/([0-9]{1,3}))?$/.exec(text);
  const address = match?.[1] ?? "";
  const family = familyOf(address);
  if (!family) return undefined;
  const widest = family === "ipv4" ? 32 : 128;
  const prefix = match?.[2] === undefined ? widest : Number(match[2]);
  return prefix > widest ? undefined : { address, prefix, family };
}
