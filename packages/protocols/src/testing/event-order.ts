import type { PartDelta, PartHead, StreamEvent } from "../canonical/index.ts";

/** Which deltas a part may get. */
const deltasOf: Record<PartHead["type"], readonly PartDelta["type"][]> = {
  text: ["text", "citation", "logprobs", "proof"],
  refusal: ["text", "proof"],
  "tool-call": ["arguments", "proof"],
  reasoning: ["reasoning", "summary", "proof"],
};

interface OpenPart {
  key: string;
  type: PartHead["type"];
}

/**
 * Throws when events are not the order that an encoder is promised (canonical/event.ts): `start`, parts one after another
 * within a candidate, at most one `usage`, one `finish` a candidate in their order, `end`; or an `error` at any
 * moment, and nothing after it.
 */
export function checkEncoderOrder(events: readonly StreamEvent[]): void {
  const open = new Map<number, OpenPart>();
  const keys = new Set<string>();
  const candidates = new Set<number>();
  const finished = new Set<number>();
  let lastFinished = -1;
  let phase: "before" | "parts" | "closing" | "over" = "before";
  for (const [at, event] of events.entries()) {
    const fail: (what: string) => never = (what) => {
      throw new Error(`Event ${at} (${event.type}): ${what}`);
    };
    if (phase === "over") fail("comes after the end");
    if (event.type === "error") {
      phase = "over";
      continue;
    }
    if (event.type === "start") {
      if (phase !== "before") fail("is not first");
      phase = "parts";
      continue;
    }
    if (phase === "before") fail("comes before start");
    switch (event.type) {
      case "part-start": {
        if (phase !== "parts") fail("opens a part while the answer closes");
        if (open.has(event.candidate)) fail("interleaves parts");
        const key = `${event.candidate} ${event.key}`;
        if (keys.has(key)) fail(`uses key ${key} twice`);
        if (event.part.type === "tool-call" && event.part.name === "") fail("opens a call without a name");
        keys.add(key);
        candidates.add(event.candidate);
        open.set(event.candidate, { key: event.key, type: event.part.type });
        break;
      }
      case "part-delta": {
        const part = open.get(event.candidate);
        if (part?.key !== event.key) fail("is for a part that is not open");
        if (!deltasOf[part.type].includes(event.delta.type))
          fail(`${event.delta.type} does not belong to ${part.type}`);
        break;
      }
      case "part-stop":
        if (open.get(event.candidate)?.key !== event.key) fail("stops a part that is not open");
        open.delete(event.candidate);
        break;
      case "part":
        if (phase !== "parts") fail("comes while the answer closes");
        if (open.has(event.candidate)) fail("comes inside another part");
        candidates.add(event.candidate);
        break;
      case "usage":
        if (phase !== "parts") fail("comes twice or behind a finish");
        if (open.size > 0) fail("comes inside a part");
        phase = "closing";
        break;
      case "finish":
        if (open.size > 0) fail("comes inside a part");
        if (finished.has(event.candidate)) fail("finishes a candidate twice");
        if (event.candidate < lastFinished) fail("is not in the order of candidates");
        lastFinished = event.candidate;
        finished.add(event.candidate);
        phase = "closing";
        break;
      case "end":
        if (finished.size === 0) fail("comes without a finish");
        for (const candidate of candidates) if (!finished.has(candidate)) fail(`candidate ${candidate} has no finish`);
        phase = "over";
        break;
    }
  }
}

/** Whether the events reached their end; a sequence may lawfully just stop, because the rest has not come yet. */
export function isOver(events: readonly StreamEvent[]): boolean {
  const last = events.at(-1);
  return last?.type === "end" || last?.type === "error";
}
