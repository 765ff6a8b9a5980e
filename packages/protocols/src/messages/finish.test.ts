import { describe, expect, test } from "vitest";
import type { Finish, FinishReason, Notice } from "../canonical/index.ts";
import { decodeFinish, encodeFinish } from "./finish.ts";

const shown = { text: true, toolCall: false };

describe("27, 127 every stop reason means the same both ways (L24)", () => {
  const table: [string, FinishReason][] = [
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["tool_use", "tool"],
    ["model_context_window_exceeded", "context"],
    ["pause_turn", "paused"],
  ];
  test.each(table)("%s is %s", (native, reason) => {
    expect(decodeFinish({ stop_reason: native }, false)?.reason).toBe(reason);
    expect(encodeFinish({ reason }, shown, () => undefined)?.stop_reason).toBe(native);
  });

  test("a refusal with details is the model's, one without is the filter's", () => {
    const details = { type: "refusal", category: null, explanation: null };
    expect(decodeFinish({ stop_reason: "refusal", stop_details: details }, false)).toEqual({ reason: "refusal" });
    expect(decodeFinish({ stop_reason: "refusal" }, false)).toEqual({ reason: "filter" });
    expect(encodeFinish({ reason: "refusal" }, shown, () => undefined)).toMatchObject({
      stop_reason: "refusal",
      stop_details: details,
    });
    expect(encodeFinish({ reason: "filter" }, shown, () => undefined)).toMatchObject({
      stop_reason: "refusal",
      stop_details: null,
    });
  });

  test("stop_sequence names its string, and an unknown one is not guessed", () => {
    const finish: Finish = { reason: "stop_sequence", stopSequence: "END" };
    expect(decodeFinish({ stop_reason: "stop_sequence", stop_sequence: "END" }, false)).toEqual(finish);
    expect(encodeFinish(finish, shown, () => undefined)).toMatchObject({
      stop_reason: "stop_sequence",
      stop_sequence: "END",
    });
    expect(encodeFinish({ reason: "stop_sequence" }, shown, () => undefined)).toMatchObject({
      stop_reason: "end_turn",
      stop_sequence: null,
    });
  });

  test.each<[FinishReason]>([["filter"], ["recitation"]])("%s is shown as a refusal", (reason) => {
    expect(encodeFinish({ reason, message: "Blocked." }, shown, () => undefined)).toEqual({
      stop_reason: "refusal",
      stop_sequence: null,
      stop_details: { type: "refusal", category: null, explanation: "Blocked." },
    });
  });

  test.each<[FinishReason]>([["malformed_tool"], ["other"]])("%s behind text is end_turn with a notice", (reason) => {
    const notices: Notice[] = [];
    expect(encodeFinish({ reason }, shown, (notice) => notices.push(notice))?.stop_reason).toBe("end_turn");
    expect(notices).toHaveLength(1);
  });

  test("128 an answer that failed is no answer: not an empty turn, and no turn with a call that would be run", () => {
    const end = (reason: FinishReason, text: boolean, toolCall: boolean) =>
      encodeFinish({ reason }, { text, toolCall }, () => undefined);
    expect(end("malformed_tool", false, false)).toBeUndefined();
    expect(end("malformed_tool", true, true)).toBeUndefined();
    expect(end("error", true, false)).toBeUndefined();
  });

  test("69 an unknown reason is other with its own word, never stop", () => {
    expect(decodeFinish({ stop_reason: "solar_flare" }, false)).toEqual({ reason: "other", native: "solar_flare" });
  });

  test("compaction survives its way through", () => {
    const finish = decodeFinish({ stop_reason: "compaction" }, false);
    expect(finish && encodeFinish(finish, shown, () => undefined)?.stop_reason).toBe("compaction");
  });

  test("a refusal that cut into a tool call outranks the call, which must not run", () => {
    expect(decodeFinish({ stop_reason: "refusal" }, true)?.reason).toBe("filter");
  });
});
