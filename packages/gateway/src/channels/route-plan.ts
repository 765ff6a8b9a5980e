import type { ProtocolName } from "@interlingua/protocols";
import type { ModelEntry } from "../config/config.ts";
import type { Channel } from "./channel.ts";
import { matchesModel } from "./model-pattern.ts";
import type { RoutingAction } from "./routing-rule.ts";

/** One way to serve a call. */
export interface Candidate {
  channel: Channel;
  /** The upstream's own name of the model. */
  upstreamModel: string;
  /** What is spoken to the upstream; the client's own protocol means the direct lane. */
  protocol: ProtocolName;
  /** All that may be spoken to it for this model. */
  protocols: readonly ProtocolName[];
}

/** Candidates that are as good as each other. */
interface Tier {
  candidates: readonly Candidate[];
  /** They share the calls by weight; else they keep their order. */
  weighted: boolean;
}

/** All ways to serve a model, whatever the state of the channels is at the moment. */
export interface RoutePlan {
  /** Whether any channel has the model, be it switched off or left out by a rule. */
  offered: boolean;
  /** In the order of the tiers. */
  candidates: readonly Candidate[];
  /** Best first. */
  tiers: readonly Tier[];
}

/** Why a channel is no candidate. */
export type LeftOut = "model" | "rule" | "disabled";

/** Hears of each channel why it is none, or by which entry of its list it is one. */
export type PlanTrace = (channel: Channel, seen: { leftOut: LeftOut } | { entry: ModelEntry; tier: number }) => void;

/**
 * The ways to serve a model under what a rule wants: channels that the rule prefers, then the higher priority, then the
 * direct lane before the converted one; among what is equal by this, the order of the channels.
 */
export function planRoute(
  channels: readonly Channel[],
  model: string,
  client: ProtocolName,
  action: RoutingAction | undefined,
  trace?: PlanTrace,
): RoutePlan {
  const only = action?.kind === "only" ? new Set(action.channels) : undefined;
  const preferred = action?.kind === "prefer" ? new Set(action.channels) : undefined;
  const found: { candidate: Candidate; entry: ModelEntry; rank: readonly [number, number, number] }[] = [];
  let offered = false;
  for (const channel of channels) {
    const entry = entryFor(channel, model);
    const candidate = entry && candidateOf(channel, entry, model, client);
    if (!candidate) {
      trace?.(channel, { leftOut: "model" });
      continue;
    }
    offered = true;
    const leftOut =
      channel.setting === "disabled" ? "disabled" : only?.has(channel.name) === false ? "rule" : undefined;
    if (leftOut) {
      trace?.(channel, { leftOut });
      continue;
    }
    const direct = candidate.protocol === client;
    const rank = [preferred?.has(channel.name) ? 0 : 1, -channel.priority, direct ? 0 : 1] as const;
    found.push({ candidate, entry, rank });
  }
  // The sort is stable: equal ones keep the order of the channels.
  found.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2]);
  const tiers: Tier[] = [];
  for (const group of Map.groupBy(found, ({ rank }) => rank.join()).values()) {
    for (const { candidate, entry } of group) trace?.(candidate.channel, { entry, tier: tiers.length });
    const candidates = group.map(({ candidate }) => candidate);
    const weighted = candidates.length > 1 && candidates.some(({ channel }) => channel.weight !== undefined);
    tiers.push({ candidates, weighted });
  }
  return { offered, candidates: found.map(({ candidate }) => candidate), tiers };
}

/** The way to a model through one channel, whatever its setting; undefined where it does not offer it. */
export function wayThrough(channel: Channel, model: string, client?: ProtocolName): Candidate | undefined {
  const entry = entryFor(channel, model);
  return entry && candidateOf(channel, entry, model, client);
}

function entryFor(channel: Channel, model: string): ModelEntry | undefined {
  return (
    channel.models.find((each) => each.id === model) ?? channel.models.find((each) => matchesModel(each.id, model))
  );
}

function candidateOf(
  channel: Channel,
  entry: ModelEntry,
  model: string,
  client: ProtocolName | undefined,
): Candidate | undefined {
  const protocols = entry.protocols ?? channel.protocols;
  const protocol = client !== undefined && protocols.includes(client) ? client : protocols[0];
  if (protocol === undefined) return undefined;
  return { channel, upstreamModel: entry.upstreamId ?? model, protocol, protocols };
}
