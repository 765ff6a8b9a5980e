import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type JsonObject, type StreamEvent } from "../canonical/index.ts";
import { createConversion } from "../conversion.ts";
import { messages } from "../messages/codec.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { plainVault } from "../shared/vault.ts";
import { anyAnswer, end, start, text } from "../testing/responses-events-fixture.ts";
import { answerContext, encodeStream } from "../testing/responses-fixture.ts";
import { responses } from "./codec.ts";
import { encodeResponse } from "./response-encoder.ts";

/** Who keeps answers, and what it got; `fits` tells whether it takes them. */
function keeper(fits = true) {
  const got: string[] = [];
  const keep = (answer: string) => {
    got.push(answer);
    return fits;
  };
  return { got, keep };
}

function responsesIn(stream: string): JsonObject[] {
  const frames = stream.split("\n").filter((line) => line.startsWith("data: "));
  return frames.flatMap((line) => JSON.parse(line.slice(6)).response ?? []);
}

describe("R2 an answer that is kept", () => {
  test("is, once, what the client got: whole or streamed", () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const streamed = keeper();
        const snapshots = responsesIn(encodeStream(responseToEvents(answer), answerContext({ keep: streamed.keep })));
        // Finishes that this protocol tells as a failure are among them: these are not kept.
        fc.pre(snapshots.at(-1)?.status !== "failed");
        expect(streamed.got.map((kept) => JSON.parse(kept))).toEqual([snapshots.at(-1)]);
        for (const snapshot of snapshots) expect(snapshot.store).toBe(true);

        const whole = keeper();
        const body = encodeResponse(answer, answerContext({ keep: whole.keep }));
        expect(whole.got).toEqual([JSON.stringify(body)]);
        expect(body.store).toBe(true);
      }),
    );
  });

  test("says at its end that it is not, where it was not taken", () => {
    const events: StreamEvent[] = [start, ...text("t", "Hi"), ...end];
    const snapshots = responsesIn(encodeStream(events, answerContext({ keep: keeper(false).keep })));
    expect(snapshots.map(({ status, store }) => [status, store])).toEqual([
      ["in_progress", true],
      ["in_progress", true],
      ["completed", false],
    ]);
  });

  test("is none that failed", () => {
    const { got, keep } = keeper();
    const failed: StreamEvent = { type: "error", error: canonicalError("overloaded", "Busy.") };
    const snapshots = responsesIn(encodeStream([start, ...text("t", "Hi"), failed], answerContext({ keep })));
    expect(got).toEqual([]);
    expect(snapshots.at(-1)).toMatchObject({ status: "failed", store: false });
  });

  test("is not asked of the upstream, so nothing is told of the wish; one that was too large is told", () => {
    const clientBody = { model: "m", input: "Hi", store: true, max_output_tokens: 64 };
    const vault = plainVault();
    const told = (fits: boolean | undefined) => {
      const { notices, convertResponse } = createConversion({
        client: responses,
        upstream: messages,
        request: responses.decodeRequest(clientBody, {}, { vault }),
        clientBody,
        upstreamModel: "claude-sonnet-4-6",
        lossy: "allow",
        ids: (prefix) => `${prefix}1`,
        now: () => 0,
        vault,
        ...(fits === undefined ? {} : { keep: keeper(fits).keep }),
      });
      const usage = { input_tokens: 1, output_tokens: 1 };
      const content = [{ type: "text", text: "Hello" }];
      const answer = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" };
      convertResponse({ ...answer, content, usage });
      return notices.map(({ field, verdict }) => [field, verdict]);
    };
    expect(told(true)).toEqual([]);
    expect(told(false)).toEqual([["store", "dropped"]]);
    expect(told(undefined)).toEqual([["store", "dropped"]]);
  });
});

test("R1 what is told of items that came out of an earlier response names that, and the caller's own keep their places", () => {
  const input = [
    { role: "user", content: "Hi" },
    { role: "user", content: "Ho" },
  ];
  const inputPlaces = ["previous_response_id[0]", "input[0]"];
  const { turns } = responses.decodeRequest({ model: "m", input }, {}, { vault: plainVault(), inputPlaces });
  expect(turns.map(({ at }) => at)).toEqual(inputPlaces);
});

test("R1 input may be absent where an earlier response supplies it, and only there", () => {
  const decode = (more: JsonObject) => responses.decodeRequest({ model: "m", ...more }, {}, { vault: plainVault() });
  expect(decode({ previous_response_id: "resp_1" }).turns).toEqual([]);
  expect(() => decode({})).toThrow("input");
});
