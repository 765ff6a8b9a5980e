/** A test that stands in another folder: its file from the root of the repository, and its name or its group's. */
interface Place {
  file: string;
  test: string;
}

/** A rule of the conversion guide, or a part of one, and where it is held beside the tests of this folder. */
interface Held {
  rule: string;
  by: readonly Place[];
}

/** A part of a rule that nothing holds, and why. */
interface NotHeld {
  rule: string;
  part: string;
  reason: string;
}

const relay = (file: string, test: string): Place => ({ file: `packages/gateway/src/relay/${file}.test.ts`, test });
const laws = (file: string, test: string): Place => ({ file: `packages/protocols/src/laws/${file}.test.ts`, test });
const protocols = (file: string, test: string): Place => ({ file: `packages/protocols/src/${file}.test.ts`, test });

export const heldElsewhere: readonly Held[] = [
  {
    rule: "S10",
    by: [
      relay("stream-lane", "is taken at its word after two seconds"),
      relay("stream-lane", "is taken at its word in the direct lane, too: %j"),
      relay("finish-watch", "S10 a direct stream is finished"),
      relay("bill", "%s is counted here, and marked"),
    ],
  },
  { rule: "S20", by: [protocols("generate-content/stream-decoder", "S20 an array that is cut is an error")] },
  {
    rule: "S24",
    by: [relay("failed-answers", "S24 an answer that the caller is told has failed is recorded as failed")],
  },
  { rule: "S25", by: [relay("upstream-matrix", "an answer that breaks off is an error, never a success (R15, S25)")] },
  { rule: "S26", by: [relay("relay", "never after the first byte (S26)")] },
  {
    rule: "S27",
    by: [
      relay("stream-lane", "C1 a caller who leaves aborts the upstream in the same tick"),
      relay("relay", "C1 the caller leaves in the middle of %s"),
      relay("bill", "M11 a caller that leaves"),
    ],
  },
  { rule: "S28", by: [relay("stream-lane", "is broken by a keep-alive between frames, never before the first one")] },
  {
    rule: "S29",
    by: [
      {
        file: "tests/peer-bugs/gateway.test.ts",
        test: "peer bug 74 S29: a caller's wish for compression is not the upstream's to fulfil",
      },
      {
        file: "tests/peer-bugs/gateway.test.ts",
        test: "peer bug 140 S29: an answer that comes compressed unasked is read",
      },
    ],
  },
  { rule: "S30", by: [relay("stream-lane", "S30 L33 a caller who does not read")] },
  {
    rule: "S34",
    by: [
      relay("odd-hosts", "S34 a host that streams whatever it is asked"),
      relay("relay", "a host that ignores the stream wish is turned into a stream"),
    ],
  },
  {
    rule: "L1",
    by: [
      protocols("chat-completions/round-trip", "L1 canonical values survive a round trip"),
      protocols("responses/request-round-trip", "L1 decode undoes encode"),
      protocols("responses/response", "L1 decode undoes encode for every answer that this protocol covers"),
      protocols("messages/request", "L1 decode of encode gives the same request"),
      protocols("messages/response", "decode of encode gives the same answer"),
      protocols("generate-content/round-trip", "L1 what the protocol can say comes back as it was"),
    ],
  },
  {
    rule: "L2",
    by: [
      protocols("chat-completions/recordings", "L2 recorded requests come out as they went in, up to the normal form"),
      protocols("responses/recorded-requests", "L2 recorded requests"),
      protocols("messages/request", "L2 a recorded request comes out as it went in"),
      protocols("generate-content/recordings", "L2 recorded requests come through unchanged"),
    ],
  },
  {
    rule: "L3",
    by: [
      relay("relay", "sends the caller's own bytes on"),
      relay("relay", "hands on the upstream's frames byte for byte"),
    ],
  },
  {
    rule: "L4",
    by: [
      laws(
        "no-silent-loss",
        "L4 what the upstream's protocol can say arrives; everything else is told or refused by its field",
      ),
    ],
  },
  { rule: "L5", by: [protocols("shared/history-laws", "L5 repaired twice is repaired once")] },
  {
    rule: "L6",
    by: [laws("purity", "L6 the same body gives the same upstream bytes and notices, on any instance and at any time")],
  },
  { rule: "L7", by: [laws("purity", "L7 a conversation that goes on begins with the bytes it began with")] },
  {
    rule: "L8",
    by: [
      laws(
        "streaming-is-unary",
        "L8 a streamed answer is the whole answer, and L11 its frames pass the strictest client",
      ),
      laws(
        "restored-answers",
        "L8, L30 what the gateway undoes in an answer it undoes alike in a stream, however that is cut",
      ),
    ],
  },
  { rule: "L9", by: [laws("chunking", "L9 the upstream's bytes may be cut anywhere")] },
  { rule: "L10", by: [laws("chunking", "L10 another framing of the same events changes nothing")] },
  {
    rule: "L11",
    by: [
      laws(
        "streaming-is-unary",
        "L8 a streamed answer is the whole answer, and L11 its frames pass the strictest client",
      ),
      laws("any-input", "a stream of any bytes ends, and the client's frames are lawful"),
    ],
  },
  {
    rule: "L12",
    by: [
      laws("broken-streams", "L12 a stream that is cut before its terminal mark never has a good end"),
      protocols(
        "chat-completions/recorded-streams",
        "L12 $id: a cut before the end mark is never a success, a cut behind it always",
      ),
    ],
  },
  {
    rule: "L13",
    by: [
      laws("broken-streams", "L13 an error frame at any place is one error in the client's shape, and nothing follows"),
    ],
  },
  { rule: "L14", by: [laws("usage", "L14 the totals of one usage are equal in all four encodings")] },
  { rule: "L15", by: [laws("usage", "L15 merging cumulative reports")] },
  {
    rule: "L16",
    by: [laws("two-turns", "L16, L17 names and ids survive a whole loop"), protocols("shared/tool-call-ids", "L16")],
  },
  {
    rule: "L17",
    by: [
      laws("two-turns", "L16, L17 names and ids survive a whole loop"),
      protocols("shared/answer-restorer", "L17 tool names come back, in whole answers and in streams"),
      laws("codex-tools/names", "T6, L17 any tools, whatever they are called: $protocol"),
    ],
  },
  {
    rule: "L18",
    by: [
      protocols(
        "shared/history-laws",
        "L18 after the repair every call is answered in its place and every id is used once",
      ),
      protocols("shared/history-laws", "L18 a well-formed history comes out as the same objects, without a notice"),
    ],
  },
  { rule: "L19", by: [laws("two-turns", "L19 proofs and the text they sign come back as they were")] },
  {
    rule: "L20",
    by: [laws("two-turns", "L20 a proof never reaches a provider of another family, in the clear or sealed")],
  },
  {
    rule: "L21",
    by: [
      laws("two-turns", "L21 a spoilt envelope is as good as none: never forwarded, never an exception"),
      relay("vault", "do not open when a single bit was changed, those of the key's name among them"),
    ],
  },
  {
    rule: "L22",
    by: [
      protocols("shared/effort", "L22"),
      protocols("messages/reasoning", "134, 147, L22 a budget stays within a limit of %i"),
    ],
  },
  { rule: "L23", by: [protocols("generate-content/schema", "L23 JSON Schema into the OpenAPI subset")] },
  {
    rule: "L24",
    by: [
      protocols(
        "traps/finish-reasons",
        "1.5.7 law 5: $native of $upstream is $expected for $client, whole and streamed",
      ),
    ],
  },
  {
    rule: "L25",
    by: [
      protocols("traps/errors", "1.5.8: any status and any body are an error that the client can be shown"),
      protocols("traps/errors", "1.5.8: %s (%i) keeps its kind, its wording and whether it may be sent again"),
    ],
  },
  { rule: "L26", by: [{ file: "tests/compatibility/compatibility.test.ts", test: "what a caller asks for" }] },
  {
    rule: "L27",
    by: [laws("empties", "L27 no history brings an upstream an empty text, an empty turn or a null that it refuses")],
  },
  {
    rule: "L28",
    by: [
      laws(
        "results",
        "L28 the results of a step stay together: all of them, in the order of their calls, beside nothing that is refused",
      ),
      protocols("messages/cache-marks", "77 a mark on any of several merged results stays"),
    ],
  },
  {
    rule: "L30",
    by: [
      protocols(
        "shared/stop-scanner",
        "L30 the text ends before the first stop, holds none, and does not depend on the cuts",
      ),
      laws(
        "restored-answers",
        "L8, L30 what the gateway undoes in an answer it undoes alike in a stream, however that is cut",
      ),
    ],
  },
  { rule: "L31", by: [relay("stream-lane", "C1 a caller who leaves aborts the upstream in the same tick")] },
  {
    rule: "L32",
    by: [
      relay("stream-lane", "is broken by a keep-alive between frames, never before the first one"),
      relay("stream-lane", "L32 needs none while the upstream talks, and comes within 15 seconds"),
    ],
  },
  { rule: "L33", by: [relay("stream-lane", "S30 L33 a caller who does not read")] },
  {
    rule: "L34",
    by: [
      { file: "packages/gateway/src/channels/outbound-guard.test.ts", test: "S3 a connection" },
      { file: "packages/gateway/src/channels/outbound-guard.test.ts", test: "S3 the kind of an address" },
    ],
  },
  {
    rule: "L35",
    by: [
      { file: "packages/gateway/src/telemetry/log.test.ts", test: "S1 %s in a text is masked" },
      {
        file: "packages/gateway/src/telemetry/log.test.ts",
        test: "S1 a field that is not on the list is dropped and counted, at debug level too",
      },
      relay(
        "odd-hosts",
        "L35 an upstream that cannot be reached leaves neither its address nor a key in an answer or in the log",
      ),
    ],
  },
];

export const notHeld: readonly NotHeld[] = [
  {
    rule: "S26",
    part: "resuming an answer",
    reason: "The gateway never goes on with another channel behind the first byte, so there is nothing to resume.",
  },
  {
    rule: "L29",
    part: "several answers by several calls",
    reason: "Where an upstream gives one answer, a wish for several is refused by its field; that is held as L29 here.",
  },
  {
    rule: "L33",
    part: "the peak of memory in bytes",
    reason:
      "What is held is where the upstream is stopped. The bytes of a whole process are measured by the benchmark.",
  },
];
