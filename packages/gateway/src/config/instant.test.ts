import { expect, test } from "vitest";
import { readEnd, showInstant } from "./instant.ts";

test.each([
  ["2026-12-31", "2027-01-01T00:00:00Z"],
  ["2028-02-29", "2028-03-01T00:00:00Z"],
  ["2026-12-31T12:00:00Z", "2026-12-31T12:00:00Z"],
  ["2026-12-31T12:00Z", "2026-12-31T12:00:00Z"],
  ["2026-12-31T12:00:00+02:00", "2026-12-31T10:00:00Z"],
])("%s ends at %s, and is read back as it is shown", (text, expected) => {
  const end = readEnd(text) ?? Number.NaN;
  expect(showInstant(end)).toBe(expected);
  expect(readEnd(showInstant(end))).toBe(end);
});

test.each([
  "",
  "2026",
  "31.12.2026",
  "2026-13-01",
  "2026-02-30",
  "2026-02-30T00:00:00Z",
  "2026-12-31T12:00:00",
  "2026-12-31T25:00Z",
  "2026-12-31 12:00Z",
  "30d",
])("%j is no end", (text) => {
  expect(readEnd(text)).toBeUndefined();
});
