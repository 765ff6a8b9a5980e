import { signsAlways } from "./answer.ts";
import type { Ask, OfferedTool } from "./ask.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { PROTOCOL_TITLES } from "./protocol.ts";
import { schemaInstance } from "./schema-instance.ts";
import type { Script, Step } from "./script.ts";
import { countTokens } from "./tokens.ts";

/** What a model name adds to the usual behaviour. */
export interface SandboxMode {
  /** Call every offered tool, mentioned or not. */
  callTools?: boolean;
  /** Reason, asked for or not. */
  reason?: boolean;
}

const ECHO_LENGTH = 200;

/**
 * The answer where no script says otherwise: always the same for the same request, and honest that no
 * model was called.
 */
export function sandboxScript(ask: Ask, mode: SandboxMode = {}): Script {
  const steps: Step[] = [];
  if (ask.reasoning.on || mode.reason || signsAlways(ask.model)) {
    steps.push({
      kind: "reasoning",
      text: "Simulated reasoning: the request is read, and an answer is prepared by fixed rules.",
      hidden: !(ask.reasoning.visible || mode.reason),
    });
  }
  const calls = toolSteps(ask, mode);
  steps.push(...(calls.length > 0 ? calls : [{ kind: "text" as const, text: answerText(ask) }]));
  return limit(steps, ask);
}

function toolSteps(ask: Ask, mode: SandboxMode): Step[] {
  if (ask.lastTurn.kind === "tool-results" || ask.toolChoice.kind === "none") return [];
  const text = ask.lastTurn.text;
  const chosen = chosenTools(ask, text, mode);
  return (ask.parallel ? chosen : chosen.slice(0, 1)).map((tool) => callStep(tool, text));
}

function chosenTools(ask: Ask, text: string, mode: SandboxMode): OfferedTool[] {
  const lower = text.toLowerCase();
  const isMentioned = (tool: OfferedTool) => tool.name !== "" && lower.includes(tool.name.toLowerCase());
  if (ask.toolChoice.kind !== "required") return mode.callTools ? ask.tools : ask.tools.filter(isMentioned);
  const { names } = ask.toolChoice;
  const allowed = names.length === 0 ? ask.tools : ask.tools.filter((tool) => names.includes(tool.name));
  const mentioned = allowed.filter(isMentioned);
  return mentioned.length > 0 ? mentioned : allowed.slice(0, 1);
}

function callStep(tool: OfferedTool, text: string): Step {
  if (tool.custom)
    return { kind: "tool-call", name: tool.name, arguments: `simulated input: ${cut(text)}`, custom: true };
  const made: Json = tool.schema === undefined || tool.schema === null ? {} : schemaInstance(tool.schema);
  return { kind: "tool-call", name: tool.name, arguments: isObject(made) ? made : {} };
}

function answerText(ask: Ask): string {
  if (ask.format.kind === "schema") return JSON.stringify(schemaInstance(ask.format.schema));
  if (ask.format.kind === "json") {
    const note: JsonObject = { simulated: true, protocol: ask.protocol, message: "No model was called." };
    return JSON.stringify(note);
  }
  if (ask.lastTurn.kind === "tool-results") {
    const returned = ask.lastTurn.results.map(({ name, text }) => `tool ${name} returned ${cut(text)}`).join("; ");
    return `This is a simulated answer; ${returned}.`;
  }
  const via = PROTOCOL_TITLES[ask.protocol];
  return `Hello! This is a simulated answer: no model was called. You reached the sandbox through the ${via} protocol. You said: "${cut(ask.lastTurn.text)}"`;
}

function cut(text: string): string {
  const points = Array.from(text);
  return points.length > ECHO_LENGTH ? `${points.slice(0, ECHO_LENGTH).join("")}…` : text;
}

/** Stops at a stop sequence, then at the output cap, as the provider would. */
function limit(steps: Step[], ask: Ask): Script {
  const stopped = stopAt(steps, ask.stops);
  const kept: Step[] = [];
  let left = ask.maxOutput ?? Number.POSITIVE_INFINITY;
  for (const step of stopped.steps ?? []) {
    const size = stepTokens(step);
    if (size <= left) {
      kept.push(step);
      left -= size;
      continue;
    }
    const rest = shorten(step, left, ask);
    return { steps: rest ? [...kept, rest] : kept, finish: "length" };
  }
  return stopped;
}

function stopAt(steps: Step[], stops: string[]): Script {
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "text") continue;
    const hits = stops
      .filter((stop) => stop !== "")
      .map((stop) => ({ stop, at: step.text.indexOf(stop) }))
      .filter(({ at }) => at !== -1)
      .sort((one, other) => one.at - other.at);
    const first = hits[0];
    if (!first) continue;
    const text = step.text.slice(0, first.at);
    const before = steps.slice(0, index);
    return {
      steps: text === "" ? before : [...before, { ...step, text }],
      finish: "stop_sequence",
      stopSequence: first.stop,
    };
  }
  return { steps };
}

function stepTokens(step: Step): number {
  switch (step.kind) {
    case "text":
    case "reasoning":
    case "refusal":
      return countTokens(step.text);
    case "tool-call":
      return countTokens(step.name) + countTokens(argumentText(step));
    case "redacted-reasoning":
    case "image":
      return 0;
  }
}

function argumentText(step: Step & { kind: "tool-call" }): string {
  return typeof step.arguments === "string" ? step.arguments : JSON.stringify(step.arguments);
}

/** What of a step still fits, or nothing. generateContent has no half function call. */
function shorten(step: Step, tokens: number, ask: Ask): Step | undefined {
  if (tokens <= 0) return undefined;
  switch (step.kind) {
    case "text":
    case "reasoning":
    case "refusal":
      return { ...step, text: prefix(step.text, tokens * 4) };
    case "tool-call": {
      const room = (tokens - countTokens(step.name)) * 4;
      if (room <= 0 || ask.protocol === "generate-content") return undefined;
      return { ...step, arguments: prefix(argumentText(step), room) };
    }
    case "redacted-reasoning":
    case "image":
      return undefined;
  }
}

/** The first n UTF-16 units, without half a character at the end. */
function prefix(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
