import { describe, expect, test } from "vitest";
import { type FinishReason, type Notice, settleFinish } from "../canonical/index.ts";
import { responseBody } from "../testing/responses-fixture.ts";
import { decodeFinish, encodeFinish } from "./finish.ts";
import { decodeResponse } from "./response-decoder.ts";

describe("finish (L24)", () => {
  test("every finish has a word on the wire and comes back as near as the wire allows", () => {
    const back: Record<FinishReason, FinishReason | "failed"> = {
      stop: "stop",
      stop_sequence: "stop",
      tool: "stop",
      refusal: "stop",
      other: "stop",
      length: "length",
      context: "length",
      paused: "length",
      filter: "filter",
      recitation: "filter",
      malformed_tool: "failed",
      error: "failed",
    };
    for (const reason of Object.keys(back) as FinishReason[]) {
      const notices: Notice[] = [];
      const end = encodeFinish({ reason }, (notice) => notices.push(notice));
      if (end.status === "failed") {
        expect(back[reason]).toBe("failed");
        continue;
      }
      const details = end.status === "incomplete" ? { incomplete_details: { reason: end.reason } } : {};
      expect(decodeFinish({ status: end.status, ...details }, false).reason).toBe(back[reason]);
    }
  });

  test("an unknown native word is other, with the word kept", () => {
    expect(decodeFinish({ status: "incomplete", incomplete_details: { reason: "steered" } }, false)).toEqual({
      reason: "other",
      native: "steered",
    });
    expect(decodeFinish({ status: "reviewing" }, false)).toEqual({ reason: "other", native: "reviewing" });
    expect(decodeFinish({ status: "queued" }, false)).toEqual({ reason: "paused", native: "queued" });
  });

  test("a call decides tool, unless the answer was cut", () => {
    const call = { id: "fc", type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    expect(decodeResponse(responseBody({ output: [call] })).candidates[0]?.finish.reason).toBe("tool");
    const cut = responseBody({
      output: [call],
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    expect(decodeResponse(cut).candidates[0]?.finish.reason).toBe("length");
    expect(settleFinish({ reason: "refusal" }, true).reason).toBe("tool");
  });
});
