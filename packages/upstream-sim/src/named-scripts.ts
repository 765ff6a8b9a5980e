import type { Ask } from "./ask.ts";
import { sandboxScript } from "./sandbox.ts";
import type { Script } from "./script.ts";

const SAMPLE_IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * Scripts that have a name. They are picked with the model `sandbox-<name>` or the header
 * `x-sim-script: <name>`; `error-<status>` gives any HTTP error.
 */
const SCRIPTS: Record<string, (ask: Ask) => Script> = {
  tools: (ask) => sandboxScript(ask, { callTools: true }),
  reasoning: (ask) => sandboxScript(ask, { reason: true }),
  slow: () => ({ pace: { firstMs: 500, everyMs: 50 } }),
  long: () => ({ steps: [{ kind: "text", text: "This is simulated text. ".repeat(500).trimEnd() }] }),
  empty: () => ({ steps: [] }),
  refusal: () => ({ steps: [{ kind: "refusal", text: "This is a simulated refusal." }] }),
  filter: () => ({ steps: [{ kind: "text", text: "This simulated answer is" }], finish: "filter" }),
  length: () => ({ steps: [{ kind: "text", text: "This simulated answer is cut" }], finish: "length" }),
  citations: () => ({
    steps: [
      {
        kind: "text",
        text: "This simulated answer has a source.",
        citations: [{ url: "https://example.com/source", title: "Simulated source", start: 5, end: 21 }],
      },
    ],
  }),
  image: () => ({
    steps: [
      { kind: "text", text: "A simulated image:" },
      { kind: "image", mimeType: "image/png", data: SAMPLE_IMAGE },
    ],
  }),
  "no-usage": () => ({ usage: "none" }),
  stall: () => ({ fault: { kind: "stall", afterEvents: 3 } }),
  cut: () => ({ fault: { kind: "cut", afterEvents: 4 } }),
  "no-terminal": () => ({ fault: { kind: "no-terminal" } }),
  "error-event": () => ({ fault: { kind: "error-event", afterEvents: 4, error: "unavailable" } }),
};

/** The names of all named scripts but the `error-<status>` ones. */
export const SCRIPT_NAMES: readonly string[] = Object.keys(SCRIPTS);

/** The script of a name for a request, or nothing where there is none of that name. */
export function namedScript(name: string, ask: Ask): Script | undefined {
  if (Object.hasOwn(SCRIPTS, name)) return SCRIPTS[name]?.(ask);
  const status = Number(/^error-([45]\d\d)$/.exec(name)?.[1]);
  return status > 0 ? { fault: { kind: "http-error", status } } : undefined;
}
