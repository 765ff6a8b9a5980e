import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { type ProtocolName, protocolNames } from "../../packages/protocols/src/canonical/index.ts";
import { bodies } from "./bodies.ts";

/** One request on the wire. */
export interface OddRequest {
  protocol: ProtocolName;
  head: string;
  body: Buffer;
  /** Whether it is HTTP by the book and goes to a route of its protocol with a good key, whatever its body holds. */
  isSound: boolean;
}

const damage: fc.Arbitrary<(text: string) => string | Buffer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant((text: string) => text) },
  fc
    .constantFrom(
      '"model":"x",',
      `"deep":${"[".repeat(70)}${"]".repeat(70)},`,
      `"deep":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)},`,
      '"n":123456789012345678901234567890,"m":1e999,"k":-0.0,',
      '"metadata":{"s":"\\ud800"},',
      '"__proto__":{"admin":true},"constructor":{"prototype":{}},',
      '"user":"\\u0000",',
      '"user":"\0",',
      '"temperature":1e400,"max_tokens":9007199254740993,',
      "[,",
    )
    .map((field) => (text: string) => text.replace("{", `{${field}`)),
  fc.constant((text: string) => text.replace(/"(Hi|Hello[^"]*)"/, '"\\udfff\\u0000 \\ud83d"')),
  fc.constant((text: string) => `\ufeff${text}`),
  fc.constant((text: string) => `${text}${text}`),
  fc.constant((text: string) => text.slice(0, Math.floor(text.length / 2))),
  fc.constant((text: string) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80])])),
  fc.constantFrom("", "null", "[]", '"x"', "{}", " ").map((text) => () => text),
  fc.constant((text: string) => Buffer.from(text, "utf16le")),
);

/** How the body is packed, and what the head says of that. */
const packing = fc.constantFrom<(bytes: Buffer) => { bytes: Buffer; coding?: string }>(
  (bytes) => ({ bytes }),
  (bytes) => ({ bytes }),
  (bytes) => ({ bytes }),
  (bytes) => ({ bytes: gzipSync(bytes), coding: "gzip" }),
  (bytes) => ({ bytes: deflateSync(bytes), coding: "deflate" }),
  (bytes) => ({ bytes: brotliCompressSync(bytes), coding: "br" }),
  (bytes) => ({ bytes: zstdCompressSync(bytes), coding: "ZSTD" }),
  (bytes) => ({ bytes, coding: "gzip" }),
  (bytes) => ({ bytes: gzipSync(bytes).subarray(0, -4), coding: "gzip" }),
  (bytes) => ({ bytes: gzipSync(gzipSync(bytes)), coding: "gzip, gzip" }),
  (bytes) => ({ bytes, coding: "" }),
  () => ({ bytes: gzipSync(Buffer.alloc(20_000_000, " ")), coding: "gzip" }),
  () => ({ bytes: brotliCompressSync(Buffer.alloc(2_000_000, " ")), coding: "br" }),
);

const types = fc.constantFrom(
  "application/json",
  "application/json",
  "application/json; charset=utf-16",
  "APPLICATION/JSON;",
  "text/plain",
  "multipart/form-data",
  "",
);

/** Headers beside those that a call needs. */
const extras = fc.subarray(
  [
    "anthropic-version: yesterday",
    "anthropic-beta: \t,,,",
    "x-interlingua-lossy: refuse",
    "x-interlingua-lossy: \x80\xff",
    "idempotency-key: one",
    "expect: 100-continue",
    "accept-encoding: gzip",
    "x-forwarded-for: 10.0.0.1, \x7f",
    "x-request-id: ../../etc",
    "content-type: application/json",
    `x-long: ${"y".repeat(5000)}`,
  ],
  { maxLength: 2 },
);

const queries = fc.constantFrom("", "", "?beta=true", "?alt=json", "?alt=sse&alt=%00", "?%ff", "?a=1&a=2", "?", "?x=%");
const oddPaths = [
  "/v1/chat/completions/",
  "/v1//messages",
  "/v1/messages/%2e%2e/responses",
  "/v1beta/models/%00:generateContent",
  "/v1beta/models/a/b:c:generateContent",
  "/v1beta/models/:generateContent",
  "/v1beta/models/to-messages:",
  "/v1/models/%f0%9f",
  "/v1/responses/resp_%00",
  "/v1/responses/x/cancel",
  "/v1/messages/count_tokens",
  "/v1/responses/input_tokens",
  "/v1beta/models/to-messages:countTokens",
  "/api/x",
  "*",
  "/\x80",
  "http://x/v1/messages",
];

function pathOf(protocol: ProtocolName, model: string, stream: boolean): string {
  switch (protocol) {
    case "chat-completions":
      return "/v1/chat/completions";
    case "responses":
      return "/v1/responses";
    case "messages":
      return "/v1/messages";
    case "generate-content":
      return `/v1beta/models/${model}:${stream ? "streamGenerateContent" : "generateContent"}`;
  }
}

const name = fc.constantFrom(...protocolNames);
const usually = <T, U>(usual: T, ...others: readonly U[]) =>
  fc.oneof<fc.WeightedArbitrary<T | U>[]>(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const framing = usually("length", "chunked", "longer", "shorter", "both", "none");
const method = usually("POST", "GET", "PUT", "DELETE", "OPTIONS", "BREW");

/** Requests with a key, of all sorts. */
export function oddRequests(key: string): fc.Arbitrary<OddRequest> {
  const content = name.chain((protocol) =>
    fc.tuple(fc.constant(protocol), name, fc.boolean(), bodies[protocol], damage),
  );
  const path = usually(undefined, ...oddPaths);
  return fc
    .tuple(content, packing, types, extras, fc.tuple(queries, path, method), framing)
    .map(([[protocol, to, stream, drawn, spoil], pack, type, more, [query, odd, verb], frame]) => {
      const model = `to-${to}`;
      const own = protocol === "generate-content" ? drawn : { ...drawn, model, stream };
      const text = spoil(JSON.stringify(own));
      const { bytes, coding } = pack(Buffer.from(text));
      const lines = [
        `${verb} ${odd ?? pathOf(protocol, model, stream)}${query} HTTP/1.1`,
        "host: gateway",
        `authorization: Bearer ${key}`,
        ...(protocol === "messages" ? ["anthropic-version: 2023-06-01"] : []),
        ...(type === "" ? [] : [`content-type: ${type}`]),
        ...(coding === undefined ? [] : [`content-encoding: ${coding}`]),
        ...more,
      ];
      const chunked = Buffer.concat([
        Buffer.from(`${bytes.length.toString(16)}\r\n`),
        bytes,
        Buffer.from("\r\n0\r\n\r\n"),
      ]);
      const isChunked = (frame === "chunked" || frame === "both") && bytes.length > 0;
      const off = frame === "longer" ? 10 : frame === "shorter" ? -10 : 0;
      const length = Math.max(0, bytes.length + off);
      if (isChunked) lines.push("transfer-encoding: chunked");
      if (frame !== "none" && (!isChunked || frame === "both")) lines.push(`content-length: ${length}`);
      const isSound =
        odd === undefined && verb === "POST" && (frame === "length" || frame === "chunked") && !more.some(isOddHeader);
      return { protocol, head: `${lines.join("\r\n")}\r\n\r\n`, body: isChunked ? chunked : bytes, isSound };
    });
}

const isOddHeader = (line: string) => /[^\x20-\x7e]/.test(line);
