import { expect, it } from "vitest";
import { goDuration, rateHeaders } from "./rate-headers.ts";

const state = {
  requests: { limit: 600, remaining: 599, resetMs: 100 },
  tokens: { limit: 2_000_000, remaining: 1_999_000, resetMs: 30 },
};
const now = Date.UTC(2026, 0, 1, 12, 0, 0, 950);

it.each([
  [0, "0s"],
  [12, "12ms"],
  [999, "999ms"],
  [1000, "1s"],
  [6570, "6.57s"],
  [60_000, "1m0s"],
  [90_000, "1m30s"],
  [7_201_500, "2h0m1.5s"],
])("%i ms is written as Go does: %s", (ms, text) => {
  expect(goDuration(ms)).toBe(text);
});

it.each(["chat-completions", "responses"] as const)("%s", (family) => {
  expect(rateHeaders(family, state, now)).toEqual({
    "x-ratelimit-limit-requests": "600",
    "x-ratelimit-remaining-requests": "599",
    "x-ratelimit-reset-requests": "100ms",
    "x-ratelimit-limit-tokens": "2000000",
    "x-ratelimit-remaining-tokens": "1999000",
    "x-ratelimit-reset-tokens": "30ms",
  });
});

it("messages tell the moment, never before it has come", () => {
  expect(rateHeaders("messages", state, now)).toEqual({
    "anthropic-ratelimit-requests-limit": "600",
    "anthropic-ratelimit-requests-remaining": "599",
    "anthropic-ratelimit-requests-reset": "2026-01-01T12:00:02Z",
    "anthropic-ratelimit-tokens-limit": "2000000",
    "anthropic-ratelimit-tokens-remaining": "1999000",
    "anthropic-ratelimit-tokens-reset": "2026-01-01T12:00:01Z",
  });
});

it("generateContent has none, and what uses no tokens tells of none", () => {
  expect(rateHeaders("generate-content", state, now)).toEqual({});
  const names = Object.keys(rateHeaders("messages", { requests: state.requests }, now));
  expect(names.filter((name) => name.includes("tokens"))).toEqual([]);
  // D7: while nothing is counted there is nothing to tell.
  expect([rateHeaders("messages", {}, now), rateHeaders("responses", {}, now)]).toEqual([{}, {}]);
});
