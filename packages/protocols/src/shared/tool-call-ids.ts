import { sha256Hex } from "./sha256.ts";

/** What a protocol takes for the id of a tool call. */
export interface CallIdRule {
  /** Matches a whole legal id; without the `g` flag. */
  pattern: RegExp;
  maxLength: number;
  /** How the family's own ids begin: `call_`, `toolu_`. */
  prefix: string;
}

/**
 * The id under which a call and its result go to a protocol (conversion.md 2.4): a legal id unchanged, any other as
 * prefix, readable rest and a hash of the whole original. A pure function without a table, so that a replayed history
 * maps alike on every turn; two ids never meet; a second pass changes nothing (law L16).
 */
export function wireCallId(id: string, rule: CallIdRule): string {
  if (id !== "" && id.length <= rule.maxLength && rule.pattern.test(id)) return id;
  const hash = sha256Hex(id).slice(0, 8);
  const bare = id.startsWith(rule.prefix) ? id.slice(rule.prefix.length) : id;
  const room = rule.maxLength - rule.prefix.length - hash.length - 1;
  return `${rule.prefix}${bare.slice(0, room).replace(/[^a-zA-Z0-9_-]/g, "_")}_${hash}`;
}

/** Deterministic id for a call that came without one (Gemini histories): made from its place and name. */
export function positionalCallId(turnIndex: number, partIndex: number, name: string): string {
  return `call_${sha256Hex(`${turnIndex} ${partIndex} ${name}`).slice(0, 22)}`;
}
