import { expect, test } from "vitest";
import { activeFilters, callsSearch, queryOf, rangeOf, zoneMinutes } from "./usage-search.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date(Date.UTC(2026, 10, 21, 14, 20));

test("a range ends with the running hour, and its days begin at the reader's midnight as the API counts days", () => {
  const end = Date.UTC(2026, 10, 21, 15);
  const midnight = rangeOf({ range: "today" }, now).from;
  expect((midnight + zoneMinutes(now) * 60_000) % day).toBe(0);
  expect(midnight).toBeGreaterThan(now.getTime() - day);
  expect(rangeOf({ range: "24h" }, now)).toEqual({ from: end - day, to: end });
  expect(rangeOf({}, now)).toEqual({ from: midnight - 6 * day, to: end });
  expect(rangeOf({ range: "30d" }, now)).toEqual({ from: midnight - 29 * day, to: end });
  expect(rangeOf({ range: "month" }, now).from).toBe(midnight - (now.getDate() - 1) * day);
  expect(rangeOf({ range: "custom", from: "1000", to: "2000" }, now)).toEqual({ from: 1000, to: 2000 });
  expect(rangeOf({ range: "custom", from: "2000", to: "1000" }, now)).toEqual({ from: end - day, to: end });
});

test("what the address asks for reaches the API, an empty value, too", () => {
  const query = queryOf({ range: "24h", model: "", key: "key_1", step: "day" }, "channel", now);
  expect(query).toMatchObject({ dimension: "channel", by: "day", model: "", key: "key_1" });
  expect(query).not.toHaveProperty("account");
});

test("the list of calls is asked for in its own words", () => {
  const filters = activeFilters({ key: "key_1", client_protocol: "messages" });
  expect(callsSearch([...filters, { name: "channel", value: "" }], 5, 9)).toEqual({
    range: "custom",
    from: "5",
    to: "9",
    access_key: "key_1",
    client_protocol: "messages",
  });
});
