import { protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { routingAction, routingMatch } from "../../channels/routing-rule.ts";
import { timeSchema } from "../api-schemas.ts";

export const routingRuleSchema = z
  .object({
    id: z.string(),
    ...routingMatch,
    account_name: z.string().nullable(),
    access_key_name: z.string().nullable(),
    action: routingAction.nullable().describe("Null where what is stored cannot be read."),
    enabled: z.boolean(),
    note: z.string().nullable(),
    rejected: z.string().nullable().describe("Why it takes no part although it is enabled."),
    missing_channels: z.array(z.string()).describe("Channels that it names and that are not there."),
    created_at: timeSchema,
    updated_at: timeSchema,
    version: z.number().int(),
  })
  .meta({ id: "RoutingRule" });

const draft = {
  ...routingMatch,
  action: routingAction,
  enabled: z.boolean(),
  note: z.string().trim().max(2000).nullable(),
};

export const newRuleBody = z
  .strictObject({
    model: draft.model.default(null).describe("A name or a pattern with `*`; null: any model."),
    client_protocol: draft.client_protocol.default(null),
    account_id: draft.account_id.default(null),
    access_key_id: draft.access_key_id.default(null),
    action: draft.action,
    enabled: draft.enabled.default(true),
    note: draft.note.default(null),
  })
  .meta({ id: "NewRoutingRule" });

export const changedRuleBody = z
  .strictObject({
    version: z.number().int().min(1).describe("As it was read: a change that came between is not written over."),
    ...z.object(draft).partial().shape,
  })
  .meta({ id: "ChangedRoutingRule" });

export const ruleOrderBody = z
  .strictObject({
    order: z.array(z.string().min(1).max(128)).max(1000).describe("The ids of all rules, the first first."),
  })
  .meta({ id: "RoutingRuleOrder" });

export const explainQuery = z.object({
  model: z.string().min(1).max(128),
  client_protocol: z.enum(protocolNames),
  account_id: z.string().min(1).max(128).optional(),
  access_key_id: z.string().min(1).max(128).optional(),
});

export const explanationSchema = z
  .object({
    model: z.string().describe("By which channels are looked for: another one than asked where a rule rewrites it."),
    outcome: z.enum(["candidates", "unknown-model", "no-channel", "refused"]),
    rules: z
      .array(
        z.object({
          rule: routingRuleSchema,
          misfit: z
            .enum(["model", "client_protocol", "account", "access_key"])
            .nullable()
            .describe("By what it does not fit; null: it holds."),
        }),
      )
      .describe("In their order, up to the one that holds."),
    steps: z
      .array(
        z.object({
          channel: z.string(),
          place: z.number().int().nullable().describe("From 1: when it is tried; null: never."),
          left_out: z
            .enum(["model", "rule", "disabled", "cooling"])
            .nullable()
            .describe(
              "Why it is not tried: it does not offer the model, a rule leaves it out, it is switched off, it has failed lately.",
            ),
          priority: z.number().int(),
          weight: z.number().int().nullable(),
          share: z
            .number()
            .nullable()
            .describe("The part of the calls that it gets first among its equals; null: not by weight."),
          upstream_model: z.string().nullable(),
          protocol: z.enum(protocolNames).nullable(),
          lane: z.enum(["direct", "converted"]).nullable(),
          entry: z.string().nullable().describe("What of its list fits the model."),
        }),
      )
      .describe("Every channel: those that are tried in their order, then the others."),
  })
  .meta({ id: "RouteExplanation" });
