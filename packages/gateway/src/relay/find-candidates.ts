import { type CanonicalRequest, codecs, ProtocolError } from "@interlingua/protocols";
import type { Candidate } from "../channels/route-plan.ts";
import type { Routes } from "../channels/routes.ts";
import type { RouteQuery } from "../channels/routing-rule.ts";
import type { CallHead } from "./incoming-call.ts";
import { noChannel, refusedByRule, unknownModel } from "./own-errors.ts";

/** What decides about the way of a call. */
export function routeQuery({ client, key }: Pick<CallHead, "client" | "key">, model: string): RouteQuery {
  return { model, client, accountId: key.accountId, accessKeyId: key.id };
}

/** The channels to try, best first and at least one. Throws `ProtocolError` where there is none. `now`: monotonic. */
export function findCandidates(routes: Pick<Routes, "select">, query: RouteQuery, now: number): readonly Candidate[] {
  const selection = routes.select(query, now);
  switch (selection.kind) {
    case "candidates":
      return selection.candidates;
    case "unknown-model":
      throw new ProtocolError(unknownModel(query.model));
    case "no-channel":
      throw new ProtocolError(noChannel());
    case "refused":
      throw new ProtocolError(refusedByRule(selection.message));
  }
}

/** The same candidates, each by the protocol on which its model takes what this call asks for. */
export function byBestProtocol(candidates: readonly Candidate[], request: CanonicalRequest): readonly Candidate[] {
  return candidates.map((candidate) => {
    const { channel, protocol, protocols, upstreamModel: model } = candidate;
    const context = { model, stream: request.stream, ...channel.traits(protocol, model) };
    const better = codecs[protocol].betterProtocol?.(request, context);
    return better !== undefined && protocols.includes(better) ? { ...candidate, protocol: better } : candidate;
  });
}
