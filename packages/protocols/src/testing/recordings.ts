import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, test } from "vitest";
import type { JsonObject, JsonValue, ProtocolName } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** One recorded exchange with a provider. */
export interface Recording {
  /** `messages/stream-text`: the protocol and the folder. Names the test. */
  id: string;
  protocol: ProtocolName;
  /** `meta.json` as it stands there. */
  meta: JsonObject;
  /** HTTP status of the answer. */
  status: number;
  /** Absent where none was recorded. */
  request?: JsonObject;
  /** A whole answer, parsed, or its text where it is not JSON. */
  response?: JsonValue;
  /** A streamed answer, byte for byte. */
  sse?: Uint8Array;
}

/** Where the recordings lie: beside the repository, unless INTERLINGUA_RECORDINGS names another folder. */
const root = resolve(
  process.env.INTERLINGUA_RECORDINGS || join(import.meta.dirname, "../../../../../shared/recordings"),
);
const missing = `no recordings at ${root}`;

/**
 * Whether the recordings are there. They are no part of the repository: where they are missing, each test that reads
 * them is skipped by name, so that none passes by reading nothing. Under CI their absence is an error.
 */
export const recordingsPresent = present();

function present(): boolean {
  if (existsSync(root)) return true;
  const message = `${missing}: put them there or name their folder in INTERLINGUA_RECORDINGS.`;
  if (process.env.CI) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return false;
}

/** A `describe` of tests that read recordings: skipped where there are none, and never empty, so that the skip shows. */
export function describeRecorded(name: string, tests: () => void): void {
  if (recordingsPresent) {
    describe(name, tests);
    return;
  }
  describe.skip(name, () => {
    test(missing, () => undefined);
    tests();
  });
}

/**
 * All recordings of a protocol, by name; to be called while tests are collected, or in a test that is skipped without
 * `recordingsPresent`. Where there are none, a skipped test says so by name.
 */
export function recordings(protocol: ProtocolName): Recording[] {
  if (!recordingsPresent) {
    test.skip(`${protocol}: ${missing}`, () => undefined);
    return [];
  }
  const folder = join(root, protocol);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (names.length === 0) throw new Error(`The folder ${folder} holds no recordings.`);
  return names.map((entry) => read(protocol, folder, entry.name)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function read(protocol: ProtocolName, folder: string, name: string): Recording {
  const file = (leaf: string) => join(folder, name, leaf);
  const meta = object(file("meta.json"));
  const recording: Recording = {
    id: `${protocol}/${name}`,
    protocol,
    meta,
    status: typeof meta.status === "number" ? meta.status : 200,
  };
  if (existsSync(file("request.json"))) recording.request = object(file("request.json"));
  if (existsSync(file("response.json"))) recording.response = jsonOrText(readFileSync(file("response.json"), "utf8"));
  if (existsSync(file("response.sse"))) recording.sse = readFileSync(file("response.sse"));
  return recording;
}

function object(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isObject(value)) throw new Error(`${path} holds no JSON object.`);
  return value;
}

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // Some providers answer an error with plain text; that is what was recorded.
    return text;
  }
}
