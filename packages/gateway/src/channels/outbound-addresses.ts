import { isIP } from "node:net";

/**
 * What stands behind an address, as far as it decides about connections (S3). `public`: a machine of the internet.
 * `metadata`: the service of a cloud that hands out its credentials. `internal`: all else.
 */
export type AddressKind = "public" | "internal" | "metadata";

/** The kind of an address in its usual spelling; what is no address is `internal`. */
export function addressKind(address: string): AddressKind {
  const plain = address.split("%", 1)[0] ?? "";
  switch (isIP(plain)) {
    case 4:
      return kindOfIpv4(bytesOfIpv4(plain));
    case 6:
      return kindOfIpv6(bytesOfIpv6(plain));
    default:
      return "internal";
  }
}

type Range = readonly [first: readonly number[], prefix: number];

/** Never a provider: this network, private, shared, loopback, link-local, special, multicast, reserved. */
const internalIpv4: readonly Range[] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24],
  [[192, 88, 99, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 4],
  [[240, 0, 0, 0], 4],
];

const metadataIpv4: readonly Range[] = [
  [[169, 254, 169, 254], 32],
  [[169, 254, 170, 2], 32],
  [[169, 254, 170, 23], 32],
  [[100, 100, 100, 200], 32],
  [[192, 0, 0, 192], 32],
  [[168, 63, 129, 16], 32],
];

const metadataIpv6: readonly Range[] = [
  [bytesOfIpv6("fd00:ec2::254"), 128],
  [bytesOfIpv6("fd00:ec2::23"), 128],
  [bytesOfIpv6("fd20:ce::254"), 128],
];

/** Ranges that hold an IPv4 address, and where it begins. */
const embedding: readonly (readonly [Range, number])[] = [
  [[bytesOfIpv6("::ffff:0:0"), 96], 12],
  [[bytesOfIpv6("64:ff9b::"), 96], 12],
  [[bytesOfIpv6("64:ff9b:1::"), 48], 12],
  [[bytesOfIpv6("2002::"), 16], 2],
  [[bytesOfIpv6("::"), 96], 12],
];

const globalUnicast: Range = [bytesOfIpv6("2000::"), 3];

/** Of the global ones: tunnels and documentation. */
const internalIpv6: readonly Range[] = [
  [bytesOfIpv6("2001::"), 32],
  [bytesOfIpv6("2001:db8::"), 32],
];

function kindOfIpv4(bytes: readonly number[]): AddressKind {
  if (metadataIpv4.some((range) => holds(range, bytes))) return "metadata";
  return internalIpv4.some((range) => holds(range, bytes)) ? "internal" : "public";
}

function kindOfIpv6(bytes: readonly number[]): AddressKind {
  if (metadataIpv6.some((range) => holds(range, bytes))) return "metadata";
  const embedded = embedding.find(([range]) => holds(range, bytes));
  if (embedded) return kindOfIpv4(bytes.slice(embedded[1], embedded[1] + 4));
  if (!holds(globalUnicast, bytes)) return "internal";
  return internalIpv6.some((range) => holds(range, bytes)) ? "internal" : "public";
}

function holds([first, prefix]: Range, bytes: readonly number[]): boolean {
  return first.every((byte, index) => {
    const bits = Math.max(0, Math.min(8, prefix - index * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((bytes[index] ?? 0) & mask);
  });
}

function bytesOfIpv4(address: string): number[] {
  return address.split(".").map(Number);
}

/** Sixteen bytes. The text must be an IPv6 address. */
function bytesOfIpv6(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const missing = Math.max(0, 16 - before.length - after.length);
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}

function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return bytesOfIpv4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
