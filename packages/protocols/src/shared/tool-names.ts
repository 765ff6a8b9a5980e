import type { CanonicalRequest, ToolChoice } from "../canonical/index.ts";
import { sha256Hex } from "./sha256.ts";

/** What a protocol takes for the name of a tool. */
export interface ToolNameRule {
  /** Matches a whole legal name; without the `g` flag. */
  pattern: RegExp;
  maxLength: number;
}

/** The names of one request, both ways. */
export interface ToolNames {
  /** Client name -> name on the wire. Total: names that the request never mentioned map too. */
  wire(name: string): string;
  /** Name on the wire -> client name, only for names that had to change. */
  toClient: Map<string, string>;
}

/**
 * Maps every tool name of the request to a legal one (conversion.md T1): a legal name unchanged, any other as a
 * readable start and a hash of the whole name. Deterministic, and no two names of a request meet (law L17). `reserved`:
 * names that the wire gives to tools of its own.
 */
export function mapToolNames(
  request: CanonicalRequest,
  rule: ToolNameRule,
  reserved: ReadonlySet<string> = new Set(),
): ToolNames {
  const isOwn = (name: string) => isLegal(name, rule) && !reserved.has(name);
  const toClient = new Map<string, string>();
  const toWire = new Map<string, string>();
  const illegal: string[] = [];
  for (const name of namesOf(request)) {
    if (toWire.has(name)) continue;
    if (isOwn(name)) {
      toWire.set(name, name);
    } else {
      illegal.push(name);
    }
  }
  const taken = (wire: string) => reserved.has(wire) || toClient.has(wire) || toWire.get(wire) === wire;
  const add = (name: string): string => {
    const wire = isOwn(name) && !taken(name) ? name : freeAlias(name, rule, taken);
    toWire.set(name, wire);
    if (wire !== name) toClient.set(wire, name);
    return wire;
  };
  for (const name of illegal) if (!toWire.has(name)) add(name);
  return { wire: (name) => toWire.get(name) ?? add(name), toClient };
}

function isLegal(name: string, rule: ToolNameRule): boolean {
  return name !== "" && name.length <= rule.maxLength && rule.pattern.test(name);
}

/**
 * A legal name that is not taken: a readable start of the name, and a hash of what is meant by it. Only a client that names
 * a tool after the alias of another one ever needs a second round.
 */
export function freeAlias(
  name: string,
  rule: ToolNameRule,
  taken: (alias: string) => boolean,
  meant: string = name,
): string {
  for (let round = 0; ; round += 1) {
    const hash = sha256Hex(round === 0 ? meant : `${meant} ${round}`).slice(0, 8);
    const start = name.slice(0, rule.maxLength - 9).replace(/[^a-zA-Z0-9_-]/g, "_");
    const plain = `${start}_${hash}`;
    // Some families want a letter or an underscore first.
    const alias = rule.pattern.test(plain) ? plain : `_${start.slice(1)}_${hash}`;
    if (!taken(alias)) return alias;
  }
}

function* namesOf(request: CanonicalRequest): Generator<string> {
  for (const tool of request.tools) if (tool.type !== "server") yield tool.name;
  yield* chosenNames(request.toolChoice);
  for (const turn of request.turns) {
    for (const part of turn.parts) {
      if (part.type === "tool-call") yield part.name;
      if (part.type === "tool-result" && part.name !== undefined) yield part.name;
    }
  }
}

function chosenNames(choice: ToolChoice | undefined): readonly string[] {
  if (choice?.mode === "tool") return [choice.name];
  return choice?.mode === "subset" ? choice.names : [];
}
