import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { modelId, nameText } from "../config/channel-schema.ts";
import { matchesModel } from "./model-pattern.ts";

const channelNames = z.array(nameText).min(1).max(100);

/** What a rule does with a call that it fits. */
export const routingAction = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("only"), channels: channelNames }),
    z.strictObject({ kind: z.literal("prefer"), channels: channelNames }),
    z.strictObject({
      kind: z.literal("rewrite"),
      model: modelId.refine((model) => !model.includes("*"), "must name one model, without *"),
    }),
    z.strictObject({ kind: z.literal("refuse"), message: z.string().trim().min(1).max(500) }),
  ])
  .describe(
    "`only`: no other channels than these. `prefer`: these first, then the others. `rewrite`: the call is served by this model; the caller's name for it stays in records. `refuse`: 403 with this message.",
  )
  .meta({ id: "RoutingAction" });

export type RoutingAction = z.output<typeof routingAction>;

/** Which calls a rule fits; null: any. */
export interface RoutingMatch {
  /** A model's name as the caller writes it, or a pattern with `*`. */
  model: string | null;
  client: ProtocolName | null;
  accountId: string | null;
  accessKeyId: string | null;
}

export const routingMatch = {
  model: modelId.nullable(),
  client_protocol: z.enum(protocolNames).nullable(),
  account_id: z.string().min(1).max(128).nullable(),
  access_key_id: z.string().min(1).max(128).nullable(),
};

/** One rule, as it holds. */
export interface RoutingRule {
  id: string;
  match: RoutingMatch;
  action: RoutingAction;
}

/** What is known of a call when its way is looked for. */
export interface RouteQuery {
  model: string;
  client: ProtocolName;
  accountId: string | null;
  accessKeyId: string | null;
}

/** By what a rule does not fit a call; undefined where it fits. */
export function misfit({ match }: RoutingRule, query: RouteQuery): keyof RoutingMatch | undefined {
  if (match.client !== null && match.client !== query.client) return "client";
  if (match.accountId !== null && match.accountId !== query.accountId) return "accountId";
  if (match.accessKeyId !== null && match.accessKeyId !== query.accessKeyId) return "accessKeyId";
  if (match.model !== null && !matchesModel(match.model, query.model)) return "model";
  return undefined;
}

/** The first rule that fits. */
export function ruleFor(rules: readonly RoutingRule[], query: RouteQuery): RoutingRule | undefined {
  for (const rule of rules) if (misfit(rule, query) === undefined) return rule;
  return undefined;
}
