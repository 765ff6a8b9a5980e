import type { Notice } from "@interlingua/protocols";
import { expect, it } from "vitest";
import { noticesHeader } from "./notices-header.ts";

const notice = (field: string, detail: string): Notice => ({ field, verdict: "dropped", detail });

it("is absent where there is nothing to tell", () => {
  expect(noticesHeader([])).toBeUndefined();
});

it("is ASCII JSON that reads back as it was", () => {
  const notices = [notice("größe", "naïve\n \u{1f600} \u007f")];
  const header = noticesHeader(notices) ?? "";
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(header)).toEqual(notices);
});

it("says how many do not fit, within 2 KiB", () => {
  const notices = Array.from({ length: 100 }, (_, index) => notice(`field_${index}`, "x".repeat(100)));
  const header = noticesHeader(notices) ?? "";
  expect(header.length).toBeLessThanOrEqual(2048);
  const told: Notice[] = JSON.parse(header);
  expect(told.at(-1)?.detail).toBe(`and ${100 - (told.length - 1)} more`);
});

it("does not drop the last one for a count that is not needed", () => {
  const notices = Array.from({ length: 12 }, (_, index) => notice(`f${index}`, "y".repeat(80)));
  expect(JSON.parse(noticesHeader(notices) ?? "")).toHaveLength(12);
});
