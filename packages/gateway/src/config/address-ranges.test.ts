import { expect, test } from "vitest";
import { createAddressFilter, isAddressRange, plainAddress } from "./address-ranges.ts";

test.each([
  ["192.0.2.7", true],
  ["10.0.0.0/8", true],
  ["0.0.0.0/0", true],
  ["2001:db8::/32", true],
  ["::1", true],
  ["10.0.0.0/33", false],
  ["::/129", false],
  ["10.0.0/8", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/-1", false],
  ["fe80::1%eth0", false],
  ["example.com", false],
  ["", false],
])("%j is an address or a range: %s", (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
});

test.each([
  [["192.0.2.7"], "192.0.2.7", true],
  [["192.0.2.7"], "192.0.2.70", false],
  [["10.1.2.3/8"], "10.255.0.1", true],
  [["10.0.0.0/8"], "11.0.0.1", false],
  [["2001:db8::/32"], "2001:db8:0:1::9", true],
  [["2001:db8::/32"], "2001:db9::", false],
  [["2001:DB8:0:0::1"], "2001:db8::1", true],
  [["0.0.0.0/0"], "2001:db8::1", false],
  [["::/0"], "192.0.2.7", false],
  [["::/0", "0.0.0.0/0"], "192.0.2.7", true],
  [[], "192.0.2.7", false],
  [["0.0.0.0/0"], "", false],
  [["0.0.0.0/0"], "unknown", false],
])("of %j, %j is let through: %s", (ranges, address, expected) => {
  expect(createAddressFilter(ranges).allows(address)).toBe(expected);
});

test("a range that is none is an error, never a filter that lets all through", () => {
  expect(() => createAddressFilter(["10.0.0.0/8", "everybody"])).toThrow('"everybody"');
});

test.each([
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:192.0.2.7", "192.0.2.7"],
  ["fe80::1%eth0", "fe80::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["192.0.2.7", "192.0.2.7"],
])("a socket's %s is the address %s", (shown, plain) => {
  expect(plainAddress(shown)).toBe(plain);
});
