import type { CanonicalResponse, Finish, FinishReason, Part, StreamEvent, ToolCallPart } from "../canonical/index.ts";

/** Finishes that say that nothing is missing: over a call that cannot be read they are not true. */
const whole: ReadonlySet<FinishReason> = new Set(["stop", "stop_sequence", "tool", "refusal", "paused", "other"]);

/**
 * Watches the calls of one streaming answer. An answer with a function call whose arguments are no JSON must not end as
 * if the call could be run: its finish becomes `malformed_tool` (S5), unless it says already that the answer was cut,
 * filtered or failed. Comes behind the answer restorer, which makes text of what only ran as a function.
 */
export class BrokenCallWatch {
  readonly #open = new Map<number, string[]>();
  readonly #broken = new Set<number>();

  /** The event to hand on in the place of this one, in encoder order. */
  see(event: StreamEvent): StreamEvent {
    switch (event.type) {
      case "part-start":
        if (event.part.type === "tool-call" && event.part.toolKind === "function") this.#open.set(event.candidate, []);
        return event;
      case "part-delta":
        if (event.delta.type === "arguments") this.#open.get(event.candidate)?.push(event.delta.text);
        return event;
      case "part-stop": {
        const texts = this.#open.get(event.candidate);
        if (texts && isBroken(texts.join(""))) this.#broken.add(event.candidate);
        this.#open.delete(event.candidate);
        return event;
      }
      case "finish":
        return this.#broken.has(event.candidate) ? { ...event, finish: brokenFinish(event.finish) } : event;
      default:
        return event;
    }
  }
}

/** The same for a whole answer. */
export function withBrokenCalls(response: CanonicalResponse): CanonicalResponse {
  if (!response.candidates.some(({ parts }) => parts.some(isBrokenCall))) return response;
  const candidates = response.candidates.map((candidate) =>
    candidate.parts.some(isBrokenCall) ? { ...candidate, finish: brokenFinish(candidate.finish) } : candidate,
  );
  return { ...response, candidates };
}

function isBrokenCall(part: Part): part is ToolCallPart {
  return part.type === "tool-call" && part.toolKind === "function" && isBroken(part.arguments);
}

/** No arguments at all are `{}`. */
function isBroken(text: string): boolean {
  if (text.trim() === "") return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    // Text that is no JSON is what is looked for.
    return true;
  }
}

function brokenFinish(finish: Finish): Finish {
  if (!whole.has(finish.reason)) return finish;
  return { reason: "malformed_tool", message: "The model wrote a tool call whose arguments are not JSON." };
}
