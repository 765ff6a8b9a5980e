import type { Tool, ToolCallPart, ToolResultPart, Turn } from "../canonical/index.ts";
import { freeAlias } from "../shared/tool-names.ts";
import { type ClientTool, namespaceOf, toolNameRule } from "./tools.ts";
import { typedWire } from "./typed-tools.ts";

/** What names a tool: the tool on offer, a call of it or a result. Its name is the canonical one. */
type Named = ClientTool | ToolCallPart | (ToolResultPart & { name: string });

/** Who keeps a name that several tools read as: what the client named so, then a typed tool, then one of a namespace. */
const ranks = { plain: 0, typed: 1, namespaced: 2, notOffered: 3 };

interface Claim {
  name: string;
  rank: number;
}

/**
 * Canonical names for the tools of a request, no two alike (T6, L17). `find` of the namespace `crm` reads as `crm__find`
 * and the typed tool `shell` as `shell`, and either may be the name of a plain tool, too. One of them keeps the name, any
 * other gets an alias that is made of what it is alone, so that it depends neither on the order of the tools nor on the
 * turn. Calls of tools that are offered no more are told from what is offered; a plain one is a call of the tool that has
 * its name, because clients that know no groups tell no more. Gives the name for whatever is of this request.
 */
export function distinctNames(tools: readonly Tool[], turns: readonly Turn[]): (named: Named) => string {
  const claims = new Map<string, Claim>();
  for (const tool of tools)
    if (tool.type !== "server") claims.set(toolKey(tool), { name: tool.name, rank: rankOf(tool) });
  const offered = claims.size;
  const plainCalls = new Set<string>();
  for (const call of namedParts(turns)) {
    const key = toolKey(call);
    if (claims.has(key)) continue;
    if (rankOf(call) === ranks.plain) plainCalls.add(call.name);
    else claims.set(key, { name: call.name, rank: ranks.notOffered });
  }
  const readsAlike = new Set([...claims.values()].map(({ name }) => name)).size < claims.size;
  const names = readsAlike || (claims.size > offered && plainCalls.size > 0) ? share(claims, plainCalls) : undefined;
  return (named) => names?.get(toolKey(named)) ?? named.name;
}

/** Gives every claim a name. `plainCalls`: names that a tool which is not on offer cannot have. */
function share(claims: ReadonlyMap<string, Claim>, plainCalls: ReadonlySet<string>): Map<string, string> {
  const claimed = new Set([...claims.values()].map(({ name }) => name));
  const names = new Map<string, string>();
  const given = new Set<string>();
  const inOrder = [...claims].sort(([a, { rank }], [b, other]) => rank - other.rank || (a < b ? -1 : 1));
  for (const [key, { name, rank }] of inOrder) {
    const free = !given.has(name) && !(rank === ranks.notOffered && plainCalls.has(name));
    const own = free ? name : freeAlias(name, toolNameRule, (alias) => claimed.has(alias) || given.has(alias), key);
    given.add(own);
    names.set(key, own);
  }
  return names;
}

/** One key for one tool, however it is named here. */
export function toolKey(named: Named): string {
  const namespace = namespaceOf(named);
  if (namespace) return JSON.stringify([namespace.namespace, namespace.local]);
  return typedWire(named.extras) ? `typed ${named.name}` : named.name;
}

/** Tool search names a deferred plain tool as its own namespace: unless there is such a namespace, that is the plain one. */
function rankOf(named: Named): number {
  const namespace = namespaceOf(named);
  if (namespace) {
    const isCall = named.type === "tool-call" || named.type === "tool-result";
    return isCall && namespace.namespace === namespace.local ? ranks.plain : ranks.namespaced;
  }
  return typedWire(named.extras) ? ranks.typed : ranks.plain;
}

/** The calls and the results of a conversation that name a tool. */
export function* namedParts(turns: readonly Turn[]): Generator<ToolCallPart | (ToolResultPart & { name: string })> {
  for (const { parts } of turns) {
    for (const part of parts) {
      if (part.type === "tool-call" || (part.type === "tool-result" && hasName(part))) yield part;
    }
  }
}

function hasName(part: ToolResultPart): part is ToolResultPart & { name: string } {
  return part.name !== undefined;
}
