import { expect, it } from "vitest";
import { type JsonObject, type JsonValue, ProtocolError } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { answerContext } from "../testing/chat-completions-fixture.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { decodeError } from "./error.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";

const vault = plainVault();
const strange: JsonValue[] = [null, -1, 1.5, "", "x", true, [], {}, [null], ["x"], [{}], { type: "x" }];
const small = recordings("chat-completions").filter(({ request, response }) => {
  return JSON.stringify(request ?? null).length + JSON.stringify(response ?? null).length < 6000;
});

type Path = (string | number)[];

/** Every place of a value, the first few entries of each list. */
function* places(value: JsonValue | undefined, at: Path = []): Generator<Path> {
  const entries = Array.isArray(value)
    ? [...value.entries()].slice(0, 3)
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, inner] of entries) {
    yield [...at, key];
    yield* places(inner, [...at, key]);
  }
}

/** The value with `put` at a place. */
function changed(value: JsonValue, [key, ...rest]: Path, put: JsonValue): JsonValue {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((inner, at) => (at === key ? changed(inner, rest, put) : inner));
  if (!isObject(value)) return value;
  return { ...value, [key]: changed(value[key] ?? null, rest, put) };
}

/** Runs it, and lets pass only what a caller is told in words. */
function survives(run: () => void): void {
  try {
    run();
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    expect(cause.error.message).not.toBe("");
  }
}

describeRecorded("any value at any place is read or refused, never a crash", () => {
  it.each(small)("$id", ({ request, response }) => {
    for (const at of places(request)) {
      for (const value of strange) {
        survives(() => {
          const body = changed(request ?? {}, at, value);
          const decoded = decodeRequest(isObject(body) ? body : ({} satisfies JsonObject), {}, { vault });
          encodeRequest(decoded, { model: "gpt-5.2", stream: decoded.stream });
          encodeRequest(decoded, { model: "mistral-small", stream: decoded.stream });
        });
      }
    }
    for (const at of places(response)) {
      for (const value of strange) {
        const body = changed(response ?? null, at, value);
        survives(() => encodeResponse(decodeResponse(body), answerContext()));
        decodeError({ status: 400, headers: {}, body });
      }
    }
  });
});
