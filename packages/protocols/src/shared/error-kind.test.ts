import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError } from "../canonical/index.ts";
import { errorKindOf, retryAfterSeconds } from "./error-kind.ts";

describe("L25 kinds of errors", () => {
  test.each([
    [400, { type: "invalid_request_error", code: "context_length_exceeded" }, "context_too_long"],
    [
      400,
      { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
      "context_too_long",
    ],
    [400, { message: "This model's maximum context length is 8192 tokens." }, "context_too_long"],
    [
      400,
      {
        type: "INVALID_ARGUMENT",
        message: "The input token count (9) exceeds the maximum number of tokens allowed (8).",
      },
      "context_too_long",
    ],
    [200, { code: "context_length_exceeded", type: "invalid_request_error" }, "context_too_long"],
    [400, { type: "invalid_request_error", message: "max_tokens is too large" }, "bad_request"],
    [400, { type: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." }, "unauthenticated"],
    [400, { type: "invalid_request_error", message: "Your credit balance is too low to access the API." }, "billing"],
    [429, { type: "insufficient_quota", code: "insufficient_quota" }, "billing"],
    [402, {}, "billing"],
    [401, { type: "authentication_error" }, "unauthenticated"],
    [403, { type: "PERMISSION_DENIED" }, "forbidden"],
    [404, { code: "model_not_found" }, "not_found"],
    [413, { type: "request_too_large" }, "too_large"],
    [422, { type: "whatever" }, "bad_request"],
    [429, { type: "RESOURCE_EXHAUSTED" }, "rate_limit"],
    [500, { type: "api_error" }, "internal"],
    [500, { type: "overloaded_error" }, "overloaded"],
    [502, {}, "upstream_bad"],
    [503, { type: "server_error" }, "overloaded"],
    [504, {}, "timeout"],
    [524, {}, "timeout"],
    [520, {}, "upstream_bad"],
    [529, { type: "overloaded_error" }, "overloaded"],
    [200, { type: "overloaded_error" }, "overloaded"],
    [200, { code: "rate_limit_exceeded", type: "requests" }, "rate_limit"],
    [200, {}, "upstream_bad"],
  ] as const)("%i %j is %s", (status, hints, kind) => {
    expect(errorKindOf(status, hints)).toBe(kind);
  });

  test("any status and words give a kind that an error can be made of", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.record({ type: fc.string(), code: fc.constantFrom("", "__proto__", "constructor"), message: fc.string() }),
        (status, hints) => {
          expect(canonicalError(errorKindOf(status, hints), "x").status).toBeGreaterThanOrEqual(400);
        },
      ),
    );
  });
});

describe("L25 retry-after", () => {
  const now = Date.UTC(2026, 0, 1);

  test.each([
    [{ "retry-after": "7" }, 7],
    [{ "retry-after": "1.2" }, 2],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after-ms": "1500", "retry-after": "99" }, 2],
    [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60],
    [{ "retry-after": "Thu, 01 Jan 2015 00:01:00 GMT" }, 0],
    [{ "retry-after": "99999999" }, 86_400],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%j is %s whole seconds", (headers, seconds) => {
    expect(retryAfterSeconds(headers, now)).toBe(seconds);
  });
});
