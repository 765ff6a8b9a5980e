import type { Selectable } from "kysely";
import { z } from "zod";
import type { RoutingRuleTable } from "../storage/channels-schema.ts";
import { type RoutingRule, routingAction, routingMatch } from "./routing-rule.ts";

/** A row of the database as a rule, or why it is none (O2). */
export type ReadRule = { ok: true; rule: RoutingRule } | { ok: false; id: string; reason: string };

const stored = z.object({ ...routingMatch, action: routingAction });

/** Never throws for what stands in the row. */
export function readRuleRow(row: Selectable<RoutingRuleTable>): ReadRule {
  const parsed = stored.safeParse({ ...row, action: parsedJson(row.action) });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, id: row.id, reason: `'${issue?.path.join(".")}' is not right: ${issue?.message}.` };
  }
  const { model, client_protocol, account_id, access_key_id, action } = parsed.data;
  const match = { model, client: client_protocol, accountId: account_id, accessKeyId: access_key_id };
  return { ok: true, rule: { id: row.id, match, action } };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema says what is wrong with it.
    return undefined;
  }
}
