import { type JsonObject, type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Recording, recordings } from "../../packages/protocols/src/testing/recordings.ts";
import { type TestGateway, startTestGateway } from "../support/gateway.ts";
import { startReplayer, type Replayer } from "../support/replayer.ts";
import { type Facts, factsOf } from "./facts.ts";
import { knownFailures } from "./known-failures.ts";
import { readBack } from "./read-back.ts";
import { wholeAnswer, wholeGeneration } from "./whole.ts";

/**
 * Every recorded answer, unary or streaming, goes through the running gateway into each client protocol and is read by
 * the vendor's own SDK: same text, calls, arguments, finish class and usage. A recorded failure must reach the client
 * as that SDK's typed error, a stream that was cut must never look finished.
 */
let replayer: Replayer;
let gateway: TestGateway;

beforeAll(async () => {
  replayer = await startReplayer();
  gateway = await startTestGateway({
    channels: protocolNames.map((protocol) => ({
      name: `recorded-${protocol}`,
      protocols: [protocol],
      base_url: replayer.baseUrl(protocol),
      api_key: "recorded",
      models: [`${protocol}/*`],
    })),
  });
});

afterAll(async () => {
  await gateway?.close();
  await replayer?.close();
});

for (const upstream of protocolNames) {
  const all = recordings(upstream);
  for (const client of protocolNames) {
    describe(`answers of ${upstream} read by a client of ${client}`, () => {
      for (const recording of all) {
        const name = `${recording.id} -> ${client}`;
        const known = knownFailures[name];
        const run = () => carry(recording, client);
        if (known) test.fails(`${name} (known: ${known})`, run);
        else test(name, run);
      }
    });
  }
}

async function carry(recording: Recording, client: ProtocolName): Promise<void> {
  const streaming = recording.sse !== undefined || Array.isArray(recording.response);
  const read = readBack[client](gateway.caller, recording.id, streaming);
  const expected = expectedFacts(recording);
  if (!expected) {
    const error = await read.then(
      (answer) => expect.fail(`a failure was read as an answer: ${JSON.stringify(answer).slice(0, 300)}`),
      (cause: unknown) => cause,
    );
    expectTypedError(error, recording, streaming);
    return;
  }
  const actual = factsOf[client](await read);
  expect(comparable(actual, client)).toEqual(comparable(expected, client));
}

/** What the recording itself says; undefined where it is an error or was cut. */
function expectedFacts(recording: Recording): Facts | undefined {
  if (recording.meta.status >= 400) return undefined;
  const protocol = recording.protocol;
  if (recording.sse) {
    const whole = wholeAnswer(protocol, recording.sse);
    return whole && failed(protocol, whole) ? undefined : whole && factsOf[protocol](whole);
  }
  if (Array.isArray(recording.response)) {
    const whole = wholeGeneration(recording.response as JsonObject[]);
    return whole && factsOf[protocol](whole);
  }
  const whole = recording.response as JsonObject;
  return failed(protocol, whole) ? undefined : factsOf[protocol](whole);
}

const failed = (protocol: ProtocolName, answer: JsonObject): boolean =>
  protocol === "responses" && (answer.status === "failed" || answer.error !== null && answer.error !== undefined);

/** Where a client's protocol has no word for a finish class, the class that conversion.md 1.5.7 names for it. */
function comparable(facts: Facts, client: ProtocolName): Facts {
  let finish = facts.finish;
  if (finish === "paused" && client !== "messages") finish = client === "responses" ? "length" : "stop";
  const cacheRead = facts.usage.cacheRead || undefined;
  const usage = { ...facts.usage };
  delete usage.cacheRead;
  return { ...facts, finish, usage: cacheRead ? { ...usage, cacheRead } : usage };
}

/** The gateway's own credential at a provider is never the client's fault (R12): 401 and 403 come as 503. */
function expectTypedError(error: unknown, recording: Recording, streaming: boolean): void {
  expect(error).toBeInstanceOf(Error);
  const recorded = recording.meta.status;
  if (recorded < 400 || streaming) return;
  const status = (error as { status?: number }).status;
  expect(status).toBe(recorded === 401 || recorded === 403 ? 503 : recorded);
}
