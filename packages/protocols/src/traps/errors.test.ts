import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ErrorKind, JsonObject, JsonValue } from "../canonical/index.ts";
import { canonicalError } from "../canonical/index.ts";
import { at } from "../peer-bugs/scene.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { pairs } from "./streams.ts";

/** Status and word (type of Messages, status of Gemini, type and code of the other two) that each client gets (1.5.8). */
type Row = Readonly<Record<Letter, readonly [status: number, ...words: (string | null)[]]>>;

const invalid = "invalid_request_error";
const server = "server_error";
const table: Readonly<Record<ErrorKind, Row>> = {
  bad_request: row(400, [invalid, null], [400, invalid], [400, "INVALID_ARGUMENT"]),
  context_too_long: row(400, [invalid, "context_length_exceeded"], [400, invalid], [400, "INVALID_ARGUMENT"]),
  unauthenticated: row(401, [invalid, "invalid_api_key"], [401, "authentication_error"], [401, "UNAUTHENTICATED"]),
  billing: row(
    403,
    ["insufficient_quota", "insufficient_quota"],
    [403, "permission_error"],
    [403, "PERMISSION_DENIED"],
  ),
  forbidden: row(403, ["permission_error"], [403, "permission_error"], [403, "PERMISSION_DENIED"]),
  not_found: row(404, [invalid], [404, "not_found_error"], [404, "NOT_FOUND"]),
  method_not_allowed: row(405, [invalid, "method_not_allowed"], [405, invalid], [405, "UNIMPLEMENTED"]),
  conflict: row(409, [], [409, "conflict_error"], [409, "ABORTED"]),
  too_large: row(413, [invalid, "request_too_large"], [413, "request_too_large"], [413, "INVALID_ARGUMENT"]),
  unsupported_media: row(415, [invalid, "unsupported_media_type"], [415, invalid], [415, "INVALID_ARGUMENT"]),
  rate_limit: row(
    429,
    ["rate_limit_error", "rate_limit_exceeded"],
    [429, "rate_limit_error"],
    [429, "RESOURCE_EXHAUSTED"],
  ),
  cancelled: row(499, [server, "cancelled"], [499, "api_error"], [499, "CANCELLED"]),
  upstream_bad: row(502, [server, "bad_gateway"], [502, "api_error"], [503, "UNAVAILABLE"]),
  upstream_incomplete: row(502, [server, "stream_incomplete"], [502, "api_error"], [503, "UNAVAILABLE"]),
  no_channel: row(503, [server, "no_channel"], [503, "api_error"], [503, "UNAVAILABLE"]),
  internal: row(500, [server], [500, "api_error"], [500, "INTERNAL"]),
  overloaded: row(503, [server, "overloaded"], [529, "overloaded_error"], [503, "UNAVAILABLE"]),
  timeout: row(504, [server, "timeout"], [504, "timeout_error"], [504, "DEADLINE_EXCEEDED"]),
};

/** The words of OpenAI's two: as many as the guide fixes. */
function row(status: number, openai: (string | null)[], messages: [number, string], gemini: [number, string]): Row {
  return { C: [status, ...openai], R: [status, ...openai], M: messages, G: gemini };
}

// The keys are those of the table's own type.
const kinds = Object.keys(table) as ErrorKind[];

function shown(client: Letter, body: JsonObject): (JsonValue | undefined)[] {
  if (client === "M") return [at(body, "error", "type")];
  if (client === "G") return [at(body, "error", "status")];
  return [at(body, "error", "type"), at(body, "error", "code")];
}

describe.each(letters)("1.5.8: towards %s", (client) => {
  const { codec } = sides[protocolOf[client]];

  test.each(kinds)("1.5.8: %s has its status, its words and its shape", (kind) => {
    const [status, ...words] = table[kind][client];
    const { status: got, body } = codec.encodeError(canonicalError(kind, "Because."), "req_1");
    expect(got).toBe(status);
    expect(shown(client, body).slice(0, words.length)).toEqual(words);
    expect(at(body, "error", "message")).toContain("Because.");
    if (client === "M") expect(body).toMatchObject({ type: "error", request_id: "req_1" });
    if (client === "G") expect(at(body, "error", "code")).toBe(status);
    if (client === "C" || client === "R")
      expect(Object.keys(at(body, "error") ?? {}).sort()).toEqual(["code", "message", "param", "type"]);
  });

  test("1.5.8: retry-after is a whole number of seconds", () => {
    const { headers } = codec.encodeError(canonicalError("rate_limit", "Slow.", { retryAfterSeconds: 7 }), "req_1");
    expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  });

  test("1.5.8: any status and any body are an error that the client can be shown", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...letters),
        fc.integer({ min: 300, max: 599 }),
        fc.jsonValue(),
        (upstream, status, value) => {
          const body: JsonValue = JSON.parse(JSON.stringify(value) ?? "null");
          const error = sides[protocolOf[upstream]].codec.decodeError({ status, headers: {}, body });
          const encoded = codec.encodeError(error, "req_1");
          expect(encoded.status).toBeGreaterThanOrEqual(400);
          expect(encoded.status).toBeLessThanOrEqual(599);
          expect(at(encoded.body, "error", "message")).toEqual(expect.stringMatching(/\S/));
        },
      ),
      { numRuns: 300, seed: 25 },
    );
  });
});

/** How each vendor says it: status and body, with the kind that it is. */
const told: Readonly<Record<Letter, readonly [ErrorKind, number, JsonValue][]>> = {
  C: openaiErrors(),
  R: openaiErrors(),
  M: (
    [
      ["bad_request", 400, "invalid_request_error"],
      ["unauthenticated", 401, "authentication_error"],
      ["billing", 402, "billing_error"],
      ["forbidden", 403, "permission_error"],
      ["not_found", 404, "not_found_error"],
      ["too_large", 413, "request_too_large"],
      ["rate_limit", 429, "rate_limit_error"],
      ["internal", 500, "api_error"],
      ["timeout", 504, "timeout_error"],
      ["overloaded", 529, "overloaded_error"],
    ] as const
  ).map(([kind, status, type]) => [
    kind,
    status,
    { type: "error", error: { type, message: "Because." }, request_id: "r" },
  ]),
  G: (
    [
      ["bad_request", 400, "INVALID_ARGUMENT"],
      ["bad_request", 400, "FAILED_PRECONDITION"],
      ["unauthenticated", 401, "UNAUTHENTICATED"],
      ["forbidden", 403, "PERMISSION_DENIED"],
      ["not_found", 404, "NOT_FOUND"],
      ["rate_limit", 429, "RESOURCE_EXHAUSTED"],
      ["cancelled", 499, "CANCELLED"],
      ["internal", 500, "INTERNAL"],
      ["overloaded", 503, "UNAVAILABLE"],
      ["timeout", 504, "DEADLINE_EXCEEDED"],
    ] as const
  ).map(([kind, code, status]) => [kind, code, { error: { code, message: "Because.", status, details: [] } }]),
};

function openaiErrors(): [ErrorKind, number, JsonValue][] {
  const rows: readonly [ErrorKind, number, string, string | null][] = [
    ["bad_request", 400, invalid, null],
    ["context_too_long", 400, invalid, "context_length_exceeded"],
    ["unauthenticated", 401, invalid, "invalid_api_key"],
    ["billing", 429, "insufficient_quota", "insufficient_quota"],
    ["forbidden", 403, "permission_error", null],
    ["not_found", 404, invalid, "model_not_found"],
    ["too_large", 413, invalid, "request_too_large"],
    ["rate_limit", 429, "rate_limit_error", "rate_limit_exceeded"],
    ["internal", 500, server, null],
    ["upstream_bad", 502, server, null],
    ["overloaded", 503, server, null],
    ["timeout", 504, server, null],
  ];
  return rows.map(([kind, status, type, code]) => [
    kind,
    status,
    { error: { message: "Because.", type, param: null, code } },
  ]);
}

/** Kinds that the caller may send again as they are. */
const retryable: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "rate_limit",
  "internal",
  "upstream_bad",
  "overloaded",
  "timeout",
]);

describe.each(pairs)("1.5.8: %s from %s", (client, upstream) => {
  test.each(told[upstream])(
    "1.5.8: %s (%i) keeps its kind, its wording and whether it may be sent again",
    (kind, status, body) => {
      const error = sides[protocolOf[upstream]].codec.decodeError({ status, headers: { "retry-after": "7" }, body });
      expect(error).toMatchObject({ kind, message: "Because.", retryable: retryable.has(kind), retryAfterSeconds: 7 });
      const encoded = sides[protocolOf[client]].codec.encodeError(error, "req_1");
      expect(JSON.stringify(encoded.body)).toContain("Because.");
      expect(JSON.stringify(encoded.body)).not.toMatch(/[Uu]pstream said/);
      const [wanted] = table[kind][client];
      // A status that the vendor chose itself stays, where the client's family has it.
      expect([wanted, status]).toContain(encoded.status);
    },
  );
});

describe.each(letters)("1.5.8: from %s", (upstream) => {
  const { codec } = sides[protocolOf[upstream]];
  test.each<[string, number, JsonValue | undefined, ErrorKind]>([
    ["an unknown 4xx is the caller's, with its status", 418, { error: { message: "Tea." } }, "bad_request"],
    ["520 is a bad upstream", 520, undefined, "upstream_bad"],
    ["527 is a bad upstream", 527, "<html></html>", "upstream_bad"],
    ["a web page is no message", 502, "<html><body>nginx</body></html>", "upstream_bad"],
    ["an empty body is an error all the same", 503, undefined, "overloaded"],
  ])("1.5.8: %s", (_name, status, body, kind) => {
    const error = codec.decodeError({ status, headers: {}, body });
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain("<");
    expect(error.message).toMatch(/\S/);
    if (status === 418) expect(error.status).toBe(418);
  });

  test("1.5.8: an error in a list of one is read", () => {
    const body = [{ error: { code: 429, message: "Slow.", status: "RESOURCE_EXHAUSTED", type: "rate_limit_error" } }];
    expect(codec.decodeError({ status: 429, headers: {}, body })).toMatchObject({
      kind: "rate_limit",
      message: "Slow.",
    });
  });
});
