import type { ErrorKind } from "@interlingua/protocols";
import type { Outcome } from "../../packages/gateway/src/storage/schema.ts";

/** How a call of the past ends. */
export interface PastEnding {
  outcome: Outcome;
  status: number;
  errorKind: ErrorKind | null;
  /** `none`: refused before anything was sent. `head`: the upstream said no. `part`: the answer began. */
  reached: "none" | "head" | "part" | "end";
  /** The status and code of the last attempt. */
  upstreamStatus: number | null;
  code: string | null;
  weight: number;
}

const ending = (
  weight: number,
  outcome: Outcome,
  status: number,
  errorKind: ErrorKind | null,
  reached: PastEnding["reached"],
  upstreamStatus: number | null = null,
  code: string | null = null,
): PastEnding => ({ weight, outcome, status, errorKind, reached, upstreamStatus, code });

/** In ten thousand calls. */
export const endings: readonly [PastEnding, ...PastEnding[]] = [
  ending(9620, "succeeded", 200, null, "end", 200),
  ending(90, "failed", 429, "rate_limit", "head", 429, "upstream_rate_limit"),
  ending(55, "failed", 502, "upstream_bad", "head", 500, "upstream_error"),
  ending(25, "failed", 504, "timeout", "head", null, "upstream_timeout"),
  ending(20, "failed", 503, "overloaded", "head", 529, "upstream_overloaded"),
  ending(70, "refused", 400, "bad_request", "none"),
  ending(15, "refused", 404, "not_found", "none"),
  ending(12, "refused", 403, "billing", "none"),
  ending(8, "refused", 429, "rate_limit", "none"),
  ending(62, "client_closed", 200, null, "part", 200),
  ending(21, "upstream_incomplete", 200, "upstream_incomplete", "part", 200, "upstream_incomplete"),
  ending(2, "drained", 200, "overloaded", "part", 200, "draining"),
];

/** How an attempt failed that was not the last one. */
export const retried: readonly [PastEnding, ...PastEnding[]] = [
  ending(5, "failed", 429, "rate_limit", "head", 429, "upstream_rate_limit"),
  ending(3, "failed", 502, "upstream_bad", "head", 502, "upstream_error"),
  ending(1, "failed", 504, "timeout", "head", null, "upstream_timeout"),
];
