import { type JsonObject, type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeRecorded, type Recording, recordings } from "../../packages/protocols/src/testing/recordings.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Replayer, startReplayer } from "../support/replayer.ts";
import { type Facts, type FinishClass, factsOf, inPieces } from "./facts.ts";
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
    describeRecorded(`answers of ${upstream} read by a client of ${client}`, () => {
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
  // A call that the model itself got wrong has no word in other protocols: an error is as lawful as an answer.
  if (expected.finish === "malformed" && (await read.catch(() => undefined)) === undefined) return;
  const actual = comparable(factsOf[client](await read), expected, client);
  const wanted = comparable(expected, expected, client);
  expect(actual, `read ${JSON.stringify(actual)}, recorded ${JSON.stringify(wanted)}`).toEqual(wanted);
}

/** What the recording itself says; undefined where it is an error or was cut. */
function expectedFacts(recording: Recording): Facts | undefined {
  if (recording.status >= 400) return undefined;
  const { protocol } = recording;
  const whole = recording.sse
    ? wholeAnswer(protocol, recording.sse)
    : Array.isArray(recording.response)
      ? wholeGeneration(recording.response as JsonObject[])
      : (recording.response as JsonObject);
  if (!whole || whole.status === "failed" || (protocol === "responses" && whole.error)) return undefined;
  return factsOf[protocol](whole);
}

/** How each protocol says that the model paused and will go on when asked again. */
const pausedWords: Record<ProtocolName, readonly FinishClass[]> = {
  "chat-completions": ["stop"],
  responses: ["length", "paused"],
  messages: ["paused"],
  "generate-content": ["stop"],
};

/** What of an answer can be told in the client's protocol, given what was recorded (conversion.md 1.5.6, 1.5.7). */
function comparable(facts: Facts, recorded: Facts, client: ProtocolName): Facts {
  const free = recorded.finish === "none" || recorded.finish === "malformed";
  return {
    // The words of a refusal that the recording holds only as an explanation beside the answer.
    text: recorded.finish === "filter" && recorded.text === "" ? "" : facts.text,
    calls: facts.calls.map((call, index) => {
      const wanted = recorded.calls[index];
      return { name: sameName(call.name, wanted?.name), arguments: sameArguments(call.arguments, wanted?.arguments) };
    }),
    finish: free
      ? "none"
      : recorded.finish === "paused" && pausedWords[client].includes(facts.finish)
        ? "paused"
        : facts.finish,
    usage: sameCounters(facts, recorded),
  };
}

/** A tool of a namespace is called by its full name where the protocol has no namespaces. */
const sameName = (name: string, wanted = name): string => (name.endsWith(`__${wanted}`) ? wanted : name);

/** Free text goes into `input` where a protocol has only objects. */
function sameArguments(actual: unknown, wanted: unknown): unknown {
  if (wanted === inPieces) return inPieces;
  if (typeof wanted === "string" && typeof actual === "object" && actual !== null && "input" in actual)
    return actual.input;
  return actual;
}

/** Only what was recorded is compared. A cache counter beyond the whole prompt contradicts itself and is cut to it. */
function sameCounters({ usage }: Facts, recorded: Facts): Facts["usage"] {
  const counters: Facts["usage"] = {};
  if (recorded.usage.input !== undefined) counters.input = usage.input ?? 0;
  if (recorded.usage.output !== undefined) counters.output = usage.output ?? 0;
  if (recorded.usage.cacheRead) counters.cacheRead = Math.min(usage.cacheRead ?? 0, recorded.usage.input ?? 0);
  return counters;
}

/** A fault of the gateway's own account at a provider is never the client's (R12): it comes as 503. */
function expectTypedError(error: unknown, recording: Recording, streaming: boolean): void {
  expect(error).toBeInstanceOf(Error);
  const recorded = recording.status;
  if (recorded < 400 || streaming) return;
  const own =
    recorded === 401 ||
    recorded === 403 ||
    /API key not valid|insufficient_quota/.test(JSON.stringify(recording.response));
  expect((error as { status?: number }).status, String(error)).toBe(own ? 503 : recorded);
}
