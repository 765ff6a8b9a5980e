import { expect, it } from "vitest";
import { limitReached } from "./own-errors.ts";

it("C13 a refusal says whose limit it is, which one, and when to ask again", () => {
  const refused = { kind: "limit", limit: "tokens", allowed: 5000, retryAfterMs: 1001 } as const;
  expect(limitReached({ ...refused, scope: "key" })).toMatchObject({
    status: 429,
    code: "rate_limit_exceeded",
    message: "The access key's limit of 5000 tokens per minute is reached. Please try again in 2s.",
    retryAfterSeconds: 2,
  });
  expect(limitReached({ ...refused, scope: "account", limit: "concurrency", retryAfterMs: 1 })).toMatchObject({
    message: "The account's limit of 5000 calls at once is reached. Please try again in 1s.",
    retryAfterSeconds: 1,
  });
});

it("D7 where no limit can be counted and none may pass, the caller is told to come again, and not blamed", () => {
  expect(limitReached({ kind: "unavailable", retryAfterMs: 1000 })).toMatchObject({
    status: 503,
    code: "limits_unavailable",
    retryAfterSeconds: 1,
    retryable: true,
  });
});
