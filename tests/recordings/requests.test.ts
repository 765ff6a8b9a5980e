import { writeFileSync } from "node:fs";
import {
  codecs,
  createConversion,
  type JsonObject,
  type JsonValue,
  type Notice,
  ProtocolError,
  type ProtocolName,
  plainVault,
  protocolNames,
} from "@interlingua/protocols";
import { startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  describeRecorded,
  type Recording,
  recordings,
  recordingsPresent,
} from "../../packages/protocols/src/testing/recordings.ts";
import { judgeByVendorTypes } from "../support/vendor-types.ts";
import { knownFailures } from "./known-failures.ts";

/**
 * Every recorded request is decoded and written again in each of the other three protocols. Lawful outcomes: carried,
 * carried with notices, refused with a 400 that names the field. What is carried is judged twice, by code that the
 * product does not share: the strict simulated provider takes it, and the vendor's own types hold it.
 */

/** Current models of each family: what an unknown alias is taken for. */
const upstreamModels: Record<ProtocolName, string> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "gemini-3-pro-preview",
};

interface Carried {
  name: string;
  target: ProtocolName;
  body: JsonObject;
}

let sim: UpstreamSim;
const carried: Carried[] = [];

beforeAll(async () => {
  let minted = 0;
  sim = await startUpstreamSim({ clock: () => 1_790_000_000_000, ids: () => `id${++minted}` });
});

afterAll(async () => {
  await sim?.close();
});

for (const source of protocolNames) {
  const withRequest = recordings(source).filter((recording) => recording.request);
  for (const target of protocolNames) {
    if (target === source) continue;
    describeRecorded(`requests of ${source} carried to ${target}`, () => {
      for (const recording of withRequest) {
        const name = `${recording.id} => ${target}`;
        const known = knownFailures[name];
        const run = () => carry(name, recording, target);
        if (known) test.fails(`${name} (known: ${known})`, run);
        else test(name, run);
      }
    });
  }
}

async function carry(name: string, recording: Recording, target: ProtocolName): Promise<void> {
  const client = codecs[recording.protocol];
  const upstream = codecs[target];
  const body = recording.request ?? {};
  const model = upstreamModels[target];
  let converted: { upstreamBody: JsonObject; notices: readonly Notice[] };
  let stream = false;
  try {
    stream = String(recording.meta.endpoint).includes("streamGenerateContent");
    const request = client.decodeRequest(body, { model: "recorded", stream }, { vault: plainVault() });
    stream = request.stream;
    converted = createConversion({
      client,
      upstream,
      request,
      clientBody: body,
      upstreamModel: model,
      lossy: "allow",
      ids: (prefix) => `${prefix}0`,
      now: () => 0,
      vault: plainVault(),
    });
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    expect(cause.error.status).toBe(400);
    expect(cause.error.param, `a refusal names the field: ${cause.error.message}`).toBeTruthy();
    return;
  }
  for (const notice of converted.notices) expect(notice.field, notice.detail).not.toBe("");

  const answer = await fetch(`${sim.url}${base(target)}${upstream.path(model, stream)}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...upstream.headers("sim-key") },
    body: JSON.stringify(converted.upstreamBody),
  });
  const text = await answer.text();
  expect(answer.status, text.slice(0, 600)).toBe(200);
  carried.push({ name, target, body: converted.upstreamBody });
}

const base = (protocol: ProtocolName): string =>
  protocol === "chat-completions" || protocol === "responses" ? "/v1" : "";

test.skipIf(!recordingsPresent)(
  "every carried request is held by the vendor's own types",
  async () => {
    const complaints = await judgeByVendorTypes(
      carried.map(({ name, target, body }) => ({ name, protocol: target, body: shortened(body) as JsonObject })),
    );
    const unknown = complaints.filter((complaint) => !knownFailures[`${complaint.name} (types)`]);
    if (process.env.INTERLINGUA_COMPLAINTS)
      writeFileSync(process.env.INTERLINGUA_COMPLAINTS, JSON.stringify(unknown, null, 1));
    expect(unknown.map((complaint) => `${complaint.name}: ${complaint.message}`)).toEqual([]);
  },
  300_000,
);

/** Media bytes say nothing to a type. */
function shortened(value: JsonValue | undefined): JsonValue {
  if (typeof value === "string") return value.length > 400 ? value.slice(0, 400) : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}
