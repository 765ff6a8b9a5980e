import type { ProtocolName } from "@interlingua/protocols";
import type { Channel } from "./channel.ts";
import { matchesModel } from "./model-pattern.ts";

/** One way to serve a call. */
export interface Candidate {
  channel: Channel;
  /** The upstream's own name of the model. */
  upstreamModel: string;
  /** What is spoken to the upstream; the client's own protocol means the direct lane. */
  protocol: ProtocolName;
}

export type Selection =
  | { kind: "candidates"; candidates: readonly Candidate[] }
  /** No channel offers this model. */
  | { kind: "unknown-model" }
  /** Channels offer it, but all of them are switched off. */
  | { kind: "all-disabled" };

/**
 * Ways to serve a model, best first: a channel that speaks the client's own protocol (direct lane), then by the order of
 * the configuration. Channels that cool down come last, the one that failed longest ago first, so that the last one is
 * never lost by errors alone (R17).
 */
export function selectChannels(
  channels: readonly Channel[],
  model: string,
  client: ProtocolName,
  now: number,
): Selection {
  const candidates: Candidate[] = [];
  let offered = false;
  for (const channel of channels) {
    const candidate = candidateOf(channel, model, client);
    if (!candidate) continue;
    offered = true;
    if (channel.setting !== "disabled") candidates.push(candidate);
  }
  if (!offered) return { kind: "unknown-model" };
  if (candidates.length === 0) return { kind: "all-disabled" };
  if (candidates.length === 1) return { kind: "candidates", candidates };

  const usable = candidates.filter((candidate) => candidate.channel.health.usable(now));
  const direct = usable.filter((candidate) => candidate.protocol === client);
  const converted = usable.filter((candidate) => candidate.protocol !== client);
  const cooling = candidates
    .filter((candidate) => !usable.includes(candidate))
    .sort((a, b) => a.channel.health.lastFailure - b.channel.health.lastFailure);
  // A channel that cools down is tried only where nothing else is left.
  return { kind: "candidates", candidates: usable.length > 0 ? [...direct, ...converted] : cooling.slice(0, 1) };
}

function candidateOf(channel: Channel, model: string, client: ProtocolName): Candidate | undefined {
  const entry =
    channel.models.find((each) => each.id === model) ?? channel.models.find((each) => matchesModel(each.id, model));
  if (!entry) return undefined;
  const protocols = entry.protocols ?? channel.protocols;
  const protocol = protocols.includes(client) ? client : protocols[0];
  if (protocol === undefined) return undefined;
  return { channel, upstreamModel: entry.upstreamId ?? model, protocol };
}
