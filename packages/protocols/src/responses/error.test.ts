import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type ErrorKind } from "../canonical/index.ts";
import { recordings } from "../testing/recordings.ts";
import { decodeError, encodeError } from "./error.ts";

describe("errors (1.5.8, L25)", () => {
  const kinds: ErrorKind[] = [
    "bad_request",
    "context_too_long",
    "unauthenticated",
    "billing",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "conflict",
    "too_large",
    "unsupported_media",
    "rate_limit",
    "cancelled",
    "upstream_bad",
    "upstream_incomplete",
    "no_channel",
    "internal",
    "overloaded",
    "timeout",
  ];

  test.each(kinds)("%s has the shape, its status and a code", (kind) => {
    const { status, body } = encodeError(canonicalError(kind, "M", { param: "p" }), "req");
    expect(status).toBe(canonicalError(kind, "").status);
    expect(body).toEqual({
      error: {
        message: "M",
        type: expect.any(String),
        param: "p",
        code: kind === "bad_request" ? null : expect.any(String),
      },
    });
  });

  test("the waiting time goes along as whole seconds", () => {
    expect(encodeError(canonicalError("rate_limit", "M", { retryAfterSeconds: 7 }), "req").headers).toEqual({
      "retry-after": "7",
    });
    const told = decodeError({ status: 429, headers: { "retry-after": "3" }, body: { error: { message: "x" } } });
    expect(told).toMatchObject({ kind: "rate_limit", retryAfterSeconds: 3 });
  });

  test.each(
    recordings("responses").flatMap(({ id, status, response: body }) =>
      status >= 400 ? [[id, status, body] as const] : [],
    ),
  )("%s keeps status, words and field", (_id, status, body) => {
    const error = decodeError({ status, headers: {}, body });
    expect(error.status).toBe(status);
    expect(JSON.stringify(body)).toContain(JSON.stringify(error.message));
    expect(error.retryable).toBe(false);
  });

  test("any status and any body give an error", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.jsonValue(), fc.string()), (status, body) => {
        // The generator gives plain JSON, which its type does not say.
        const error = decodeError({ status, headers: {}, body: JSON.parse(JSON.stringify(body ?? null)) });
        expect(error.message).not.toBe("");
        expect(kinds).toContain(error.kind);
      }),
    );
  });
});
