import type { OutgoingHttpHeaders } from "node:http";
import type { ProtocolName } from "@interlingua/protocols";
import type { LimitState } from "../coordination/meter.ts";
import type { LimitStates } from "../coordination/rate-counters.ts";

/**
 * How the limits stand, in the headers of the caller's family. `now`: unix milliseconds. generateContent has none: its
 * callers read the wait from an error's body.
 */
export function rateHeaders(family: ProtocolName, state: LimitStates, now: number): OutgoingHttpHeaders {
  switch (family) {
    case "chat-completions":
    case "responses":
      return {
        ...(state.requests && openaiHeaders("requests", state.requests)),
        ...(state.tokens && openaiHeaders("tokens", state.tokens)),
      };
    case "messages":
      return {
        ...(state.requests && anthropicHeaders("requests", state.requests, now)),
        ...(state.tokens && anthropicHeaders("tokens", state.tokens, now)),
      };
    case "generate-content":
      return {};
  }
}

function openaiHeaders(what: "requests" | "tokens", { limit, remaining, resetMs }: LimitState): OutgoingHttpHeaders {
  return {
    [`x-ratelimit-limit-${what}`]: String(limit),
    [`x-ratelimit-remaining-${what}`]: String(remaining),
    [`x-ratelimit-reset-${what}`]: goDuration(resetMs),
  };
}

function anthropicHeaders(what: "requests" | "tokens", state: LimitState, now: number): OutgoingHttpHeaders {
  const reset = new Date(Math.ceil((now + state.resetMs) / 1000) * 1000).toISOString();
  return {
    [`anthropic-ratelimit-${what}-limit`]: String(state.limit),
    [`anthropic-ratelimit-${what}-remaining`]: String(state.remaining),
    // RFC 3339, to the second.
    [`anthropic-ratelimit-${what}-reset`]: `${reset.slice(0, 19)}Z`,
  };
}

/** Whole milliseconds as Go writes a duration: `0s`, `12ms`, `6.57s`, `1m30s`, `2h0m1.5s`. */
export function goDuration(ms: number): string {
  if (ms === 0) return "0s";
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms % 60_000) / 1000}s`;
  if (minutes === 0) return seconds;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${seconds}` : `${hours}h${minutes % 60}m${seconds}`;
}
