import { expect, test } from "vitest";
import { errorFields } from "./error-fields.ts";
import { createLog, type LogFields } from "./log.ts";

function recordingLog(level?: "debug") {
  const lines: string[] = [];
  const log = createLog({
    now: () => Date.UTC(2026, 0, 1),
    ...(level ? { level } : {}),
    destination: { write: (line: string) => void lines.push(line) },
  });
  return { log, lines };
}

test("a line holds time, level, event and the given fields, and nothing of the machine", () => {
  const { log, lines } = recordingLog();
  log.info("call ended", { call_id: "call_1", status: 200 });
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    level: "info",
    time: "2026-01-01T00:00:00.000Z",
    call_id: "call_1",
    status: 200,
    event: "call ended",
  });
});

test("S1 a field that is not on the list is dropped and counted, at debug level too", () => {
  const { log, lines } = recordingLog("debug");
  const fields = { call_id: "call_1", authorization: "Bearer canary", headers: { cookie: "canary" }, prompt: "canary" };
  log.debug("call", fields);
  expect(lines.join()).not.toContain("canary");
  expect(log.droppedFields()).toBe(3);
});

test("S1 an object in a known field is dropped: it could carry anything", () => {
  const { log, lines } = recordingLog();
  // What untyped code could hand in.
  const fields: Record<string, unknown> = { detail: { secret: "canary" } };
  log.warn("odd", fields as LogFields);
  expect(lines.join()).not.toContain("canary");
  expect(log.droppedFields()).toBe(1);
});

test.each([
  ["an access key", "key ilk_abcdefghij_canarycanary_zzzzzz refused"],
  ["an OpenAI key", "Incorrect API key provided: sk-proj-canarycanary12345"],
  ["a Google key", "AIzaSycanarycanarycanary"],
  ["a bearer header", "authorization: Bearer canary.canary"],
  ["a named header", 'headers {"x-api-key": "canary-canary"}'],
  ["a partner header", "x-partner-api-key: canarycanary"],
  ["a password in an address", "redis://user:canary@host:6379"],
  ["a query", "GET /v1beta/models/m:generateContent?alt=sse&key=canary failed"],
  ["a query of an address", "https://host/v1/x?key=canary"],
])("S1 %s in a text is masked", (_name, text) => {
  const { log, lines } = recordingLog();
  log.error("failed", { error_message: text });
  expect(lines.join()).not.toContain("canary");
});

test("ordinary text stays as it is", () => {
  const { log, lines } = recordingLog();
  const detail = "model gpt-5.2 on channel openai took 12 ms; what now? tokens: unknown";
  log.info("x", { detail: detail.replace("tokens: unknown", "ok") });
  expect(lines[0]).toContain("model gpt-5.2 on channel openai took 12 ms; what now? ok");
});

test("a caller cannot forge a line: control characters are escaped", () => {
  const { log, lines } = recordingLog();
  log.info("x", { model: 'a\n{"level":"error"}' });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toContain("\n");
});

test("long texts are cut at 1 KiB", () => {
  const { log, lines } = recordingLog();
  log.info("x", { detail: "y".repeat(5000) });
  expect(JSON.parse(lines[0] ?? "").detail).toHaveLength(1025);
});

test("S12 masking takes linear time on hostile text", () => {
  const { log } = recordingLog();
  const start = performance.now();
  for (const text of ["/".repeat(100_000), "?".repeat(100_000), "//".repeat(50_000), "api_key ".repeat(12_000)]) {
    log.info("x", { detail: text });
  }
  expect(performance.now() - start).toBeLessThan(200);
});

test("S1 of an error only name, code, message and stack are taken", () => {
  const error = Object.assign(new Error("boom"), {
    code: "ECONNRESET",
    request: { headers: { authorization: "canary" } },
  });
  const fields = errorFields(error);
  expect(fields).toMatchObject({ error_name: "Error", error_code: "ECONNRESET", error_message: "boom" });
  expect(JSON.stringify(fields)).not.toContain("canary");
});
