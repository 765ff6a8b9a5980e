import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type ErrorKind } from "../canonical/index.ts";
import { recordings, recordingsPresent } from "../testing/recordings.ts";
import { decodeError, decodeErrorBody, encodeError } from "./error.ts";

describe("towards clients", () => {
  const table: [ErrorKind, number, string][] = [
    ["bad_request", 400, "invalid_request_error"],
    ["context_too_long", 400, "invalid_request_error"],
    ["unauthenticated", 401, "authentication_error"],
    ["billing", 403, "permission_error"],
    ["forbidden", 403, "permission_error"],
    ["not_found", 404, "not_found_error"],
    ["too_large", 413, "request_too_large"],
    ["rate_limit", 429, "rate_limit_error"],
    ["upstream_bad", 502, "api_error"],
    ["no_channel", 503, "api_error"],
    ["internal", 500, "api_error"],
    ["overloaded", 529, "overloaded_error"],
    ["timeout", 504, "timeout_error"],
  ];
  test.each(table)("%s is %i %s", (kind, status, type) => {
    const encoded = encodeError(canonicalError(kind, "Because."), "req_1");
    expect(encoded.status).toBe(status);
    expect(encoded.body).toMatchObject({ type: "error", error: { type }, request_id: "req_1" });
    expect(encoded.headers["request-id"]).toBe("req_1");
  });

  test("an agent compacts only when it reads that the prompt is too long", () => {
    const foreign = canonicalError("context_too_long", "maximum context length is 10 tokens");
    expect(encodeError(foreign, "r").body).toMatchObject({
      error: { message: "prompt is too long: maximum context length is 10 tokens" },
    });
    const own = canonicalError("context_too_long", "prompt is too long: 12 tokens > 10 maximum");
    expect(encodeError(own, "r").body).toMatchObject({ error: { message: own.message } });
  });

  test("the wait is whole seconds", () => {
    const error = canonicalError("rate_limit", "Slow.", { retryAfterSeconds: 1.2 });
    expect(encodeError(error, "r").headers).toMatchObject({ "retry-after": "2", "x-should-retry": "true" });
  });
});

describe("from upstreams", () => {
  const failed = recordings("messages").filter((recording) => recording.status >= 400);
  test.skipIf(!recordingsPresent)("there are some", () => expect(failed.length).toBe(5));
  test.each(failed.map((recording) => [recording.id, recording.status, recording.response] as const))(
    "%s keeps status and wording",
    (_id, status, body) => {
      const error = decodeError({ status, headers: {}, body });
      expect(error.status).toBe(status);
      expect(JSON.stringify(body)).toContain(JSON.stringify(error.message).slice(1, -1));
    },
  );

  test("L25 total: any status and any body", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, body) => {
        const parsed = JSON.parse(JSON.stringify(body) ?? "null");
        const error = decodeError({ status, headers: {}, body: parsed });
        expect(error.message).not.toBe("");
        expect(error.status).toBeGreaterThanOrEqual(400);
        expect(encodeError(error, "r").status).toBeLessThan(600);
      }),
    );
  });

  test.each([
    ["overloaded_error", "overloaded"],
    ["rate_limit_error", "rate_limit"],
    ["invalid_request_error", "bad_request"],
    ["timeout_error", "timeout"],
  ])("70 an error frame of type %s is %s", (type, kind) => {
    expect(decodeErrorBody({ type: "error", error: { type, message: "x" } }).kind).toBe(kind);
  });

  test("the field that is at fault stands in the message, once", () => {
    const text = (message: string) =>
      encodeError(canonicalError("bad_request", message, { param: "messages[0].content[1]" }), "r").body.error;
    expect(text("It is no image.")).toMatchObject({ message: "messages[0].content[1]: It is no image." });
    expect(text("'messages[0].content[1]' is no image.")).toMatchObject({
      message: "'messages[0].content[1]' is no image.",
    });
  });

  test("a web page is not shown", () => {
    expect(decodeError({ status: 502, headers: {}, body: "<html>secret</html>" }).message).not.toContain("secret");
  });
});

test("R1: the causes by which the SDK mends a thread are told, causes of our own are not", () => {
  const told = (code: string) =>
    encodeError(canonicalError("bad_request", "No.", { code, param: "thread" }), "req_1").body;
  expect(told("thread_unsupported_request")).toEqual({
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "thread: No.",
      details: { error_code: "thread_unsupported_request" },
    },
    request_id: "req_1",
  });
  expect(JSON.stringify(told("unsupported_parameter"))).not.toContain("details");
});
