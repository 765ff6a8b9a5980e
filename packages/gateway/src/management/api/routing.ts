import { z } from "zod";
import type { AuditDetail } from "../../audit/audit-log.ts";
import { type ListedRule, listRules } from "../../channels/list-rules.ts";
import type { LiveChannels } from "../../channels/open-channels.ts";
import type { RouteExplanation } from "../../channels/routes.ts";
import { type RoutingAction, routingAction } from "../../channels/routing-rule.ts";
import type { Platform } from "../../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { ManagementError, notFound } from "../failure.ts";
import { nextSchema } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import {
  changedRuleBody,
  explainQuery,
  explanationSchema,
  newRuleBody,
  routingRuleSchema,
  ruleOrderBody,
} from "./routing-schemas.ts";

export interface RoutingRoutesParts {
  database: Database;
  platform: Pick<Platform, "now" | "id" | "monotonic">;
  channels: LiveChannels;
}

type RuleJson = z.output<typeof routingRuleSchema>;
type RuleDraft = z.output<typeof newRuleBody>;

const common = { tag: "Routing", scope: "installation", role: "operator" } as const;
const listPath = "/api/v1/routing-rules";
const onePath = "/api/v1/routing-rules/:rule";
const mostRules = 1000;

/** What decides where calls go before priority and lane, and the answer to where one would go. */
export function routingRoutes(parts: RoutingRoutesParts): ManagementRoute[] {
  const { database, platform, channels } = parts;

  const all = async () => (await listRules(database)).map((row) => ruleJson(channels, row));
  const one = async (id: string) => {
    const rule = (await all()).find((each) => each.id === id);
    if (!rule) throw notFound();
    return rule;
  };
  const write = async (id: string, statements: readonly Statement[], audit: Statement) => {
    const told = database.build
      .insertInto("change_sequence")
      .values({ entity: "channel", entity_id: id, changed_at: platform.now() })
      .compile();
    try {
      await database.write([...statements, told, audit], { alone: true });
    } catch (cause) {
      if (cause instanceof StorageError && cause.kind === "condition") throw changedMeanwhile();
      throw cause;
    }
    await channels.changed();
  };

  return [
    apiRoute({
      ...common,
      method: "GET",
      path: listPath,
      summary: "List routing rules",
      description: "In the order in which they are asked; the first enabled one that fits a call holds.",
      audit: "none",
      answer: z.object({ items: z.array(routingRuleSchema), next: nextSchema }),
      handle: async () => ({ body: { items: await all(), next: null } }),
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: listPath,
      summary: "Create a routing rule",
      description: "It is asked after all others.",
      audit: "routing_rule.created",
      body: newRuleBody,
      answer: routingRuleSchema,
      status: 201,
      async handle({ body, audit }) {
        await checkDraft(parts, body);
        const rules = await listRules(database);
        if (rules.length >= mostRules) {
          throw new ManagementError(409, "too_many_rules", `There cannot be more than ${mostRules} rules.`);
        }
        const id = platform.id("rule");
        const now = platform.now();
        const position = Math.max(0, ...rules.map((rule) => rule.position)) + 1;
        const columns = { ...columnsOf(body), id, position, created_at: now, updated_at: now, version: 1 };
        const insert = database.build.insertInto("routing_rule").values(columns).compile();
        const entry = audit({
          target: { kind: "routing_rule", id },
          accountId: null,
          detail: detailOf(undefined, body),
        });
        await write(id, [insert], entry);
        return { body: await one(id) };
      },
    }),
    apiRoute({
      ...common,
      method: "PUT",
      path: listPath,
      summary: "Order routing rules",
      audit: "routing_rules.ordered",
      body: ruleOrderBody,
      answer: z.object({ items: z.array(routingRuleSchema), next: nextSchema }),
      async handle({ body: { order }, audit }) {
        const known = new Set((await listRules(database)).map(({ id }) => id));
        if (order.length !== known.size || !order.every((id) => known.has(id)) || new Set(order).size !== known.size) {
          throw changedMeanwhile();
        }
        const now = platform.now();
        const statements = order.map((id, index) =>
          expecting(
            1,
            database.build
              .updateTable("routing_rule")
              .set({ position: index + 1, updated_at: now })
              .where("id", "=", id)
              .compile(),
          ),
        );
        await write("order", statements, audit({ target: null, accountId: null, detail: { order } }));
        return { body: { items: await all(), next: null } };
      },
    }),
    apiRoute({
      ...common,
      method: "PATCH",
      path: onePath,
      summary: "Change a routing rule",
      audit: "routing_rule.changed",
      body: changedRuleBody,
      answer: routingRuleSchema,
      async handle({ params, body, audit }) {
        const row = (await listRules(database)).find(({ id }) => id === params.rule);
        if (!row) throw notFound();
        const { version, ...changes } = body;
        if (version !== row.version) throw changedMeanwhile();
        const before = draftOf(row);
        if (before.action === null && !changes.action) {
          throw new ManagementError(400, "invalid_request", "The rule needs an action.", { field: "action" });
        }
        const given = Object.entries(changes).filter(([, value]) => value !== undefined);
        // Of the types of the schema, which names no other fields.
        const after = { ...before, ...Object.fromEntries(given) } as RuleDraft;
        await checkDraft(parts, after, changes);
        const update = database.build
          .updateTable("routing_rule")
          .set({ ...columnsOf(after), updated_at: platform.now(), version: version + 1 })
          .where("id", "=", row.id)
          .where("version", "=", version);
        const target = { kind: "routing_rule", id: row.id };
        const entry = audit({ target, accountId: null, detail: detailOf(before, after) });
        await write(row.id, [expecting(1, update.compile())], entry);
        return { body: await one(row.id) };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: onePath,
      summary: "Delete a routing rule",
      audit: "routing_rule.deleted",
      async handle({ params, audit }) {
        const row = (await listRules(database)).find(({ id }) => id === params.rule);
        if (!row) throw notFound();
        const remove = expecting(1, database.build.deleteFrom("routing_rule").where("id", "=", row.id).compile());
        const target = { kind: "routing_rule", id: row.id };
        await write(row.id, [remove], audit({ target, accountId: null, detail: detailOf(undefined, draftOf(row)) }));
        return {};
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/routing/explain",
      summary: "Explain a route",
      description: "Where a call would go at this moment, and why: asked of the same code that calls go by.",
      audit: "none",
      query: explainQuery,
      answer: explanationSchema,
      async handle({ query }) {
        const key = query.access_key_id === undefined ? undefined : await keyOf(database, query.access_key_id);
        const asked = {
          model: query.model,
          client: query.client_protocol,
          accountId: query.account_id ?? key?.account_id ?? null,
          accessKeyId: key?.id ?? null,
        };
        const explanation = channels.set.current.explain(asked, platform.monotonic());
        return { body: explanationJson(explanation, asked.client, await all()) };
      },
    }),
  ];
}

/** Refuses a rule about what is not there. `changes`: looks at these alone. */
async function checkDraft(
  { database, channels }: RoutingRoutesParts,
  draft: RuleDraft,
  changes: Partial<RuleDraft> = draft,
): Promise<void> {
  const refuse = (field: string, message: string) => {
    throw new ManagementError(400, "invalid_request", message, { field });
  };
  if (changes.account_id !== undefined && draft.account_id !== null) {
    const account = await database.read
      .selectFrom("account")
      .select("id")
      .where("id", "=", draft.account_id)
      .executeTakeFirst();
    if (!account) refuse("account_id", "There is no such account.");
  }
  if ((changes.access_key_id !== undefined || changes.account_id !== undefined) && draft.access_key_id !== null) {
    const key = await keyOf(database, draft.access_key_id);
    if (draft.account_id !== null && key.account_id !== draft.account_id) {
      refuse("access_key_id", "The access key belongs to another account.");
    }
  }
  if (changes.action !== undefined) {
    const missing = await missingChannels({ database, channels }, draft.action);
    if (missing.length > 0) refuse("action.channels", `There is no channel '${missing[0]}'.`);
  }
}

async function keyOf({ read }: Pick<Database, "read">, id: string) {
  const key = await read.selectFrom("access_key").select(["id", "account_id"]).where("id", "=", id).executeTakeFirst();
  if (key) return key;
  throw new ManagementError(400, "invalid_request", "There is no such access key.", { field: "access_key_id" });
}

async function missingChannels(
  { database, channels }: Pick<RoutingRoutesParts, "database" | "channels">,
  action: RoutingAction,
): Promise<string[]> {
  const named = channelsOf(action);
  if (named.length === 0) return [];
  const rows = await database.read.selectFrom("channel").select("name").where("name", "in", named).execute();
  const known = new Set([...channels.configured, ...rows].map(({ name }) => name));
  return named.filter((name) => !known.has(name));
}

function channelsOf(action: RoutingAction | null): readonly string[] {
  return action?.kind === "only" || action?.kind === "prefer" ? action.channels : [];
}

function ruleJson(live: LiveChannels, row: ListedRule): RuleJson {
  const { position: _position, enabled, ...rest } = row;
  const draft = draftOf(row);
  const present = new Set([
    ...live.configured.map(({ name }) => name),
    ...live.set.current.channels.map(({ name }) => name),
    ...live.rejected.flatMap(({ kind, id }) => (kind === "channel" ? [id] : [])),
  ]);
  return {
    ...rest,
    action: draft.action,
    enabled: enabled === 1,
    rejected: live.rejected.find(({ kind, id }) => kind === "rule" && id === row.id)?.reason ?? null,
    missing_channels: channelsOf(draft.action).filter((name) => !present.has(name)),
  };
}

/** The rule as it is stored, without an action where that cannot be read. */
function draftOf(row: ListedRule): Omit<RuleDraft, "action"> & { action: RoutingAction | null } {
  const action = routingAction.safeParse(jsonOf(row.action));
  const { model, client_protocol, account_id, access_key_id, enabled, note } = row;
  return {
    model,
    client_protocol,
    account_id,
    access_key_id,
    action: action.success ? action.data : null,
    enabled: enabled === 1,
    note,
  };
}

type StoredDraft = ReturnType<typeof draftOf>;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema says what is wrong with it.
    return undefined;
  }
}

function columnsOf({ action, enabled, ...same }: RuleDraft) {
  return { ...same, action: JSON.stringify(action), enabled: enabled ? 1 : 0 };
}

function detailOf(before: StoredDraft | undefined, after: StoredDraft): AuditDetail {
  const plain = (draft: StoredDraft) => ({ ...draft, action: JSON.stringify(draft.action) });
  if (!before) return plain(after);
  const old = Object.entries(plain(before));
  const changed = Object.entries(plain(after)).flatMap(([name, value]) => {
    const was = old.find(([each]) => each === name)?.[1] ?? null;
    return was === value ? [] : [[`${name}_before`, was] as const, [`${name}_after`, value] as const];
  });
  return Object.fromEntries(changed);
}

const misfitNames = {
  model: "model",
  client: "client_protocol",
  accountId: "account",
  accessKeyId: "access_key",
} as const;

function explanationJson(
  { model, outcome, rules, steps }: RouteExplanation,
  client: string,
  known: readonly RuleJson[],
): z.output<typeof explanationSchema> {
  let place = 0;
  return {
    model,
    outcome,
    rules: rules.flatMap(({ rule, misfit }) => {
      const shown = known.find(({ id }) => id === rule.id);
      return shown ? [{ rule: shown, misfit: misfit === undefined ? null : misfitNames[misfit] }] : [];
    }),
    steps: steps.map(({ channel, leftOut, candidate, entry, share }) => {
      if (leftOut === undefined) place++;
      return {
        channel: channel.name,
        place: leftOut === undefined ? place : null,
        left_out: leftOut ?? null,
        priority: channel.priority,
        weight: channel.weight ?? null,
        share: share ?? null,
        upstream_model: candidate?.upstreamModel ?? null,
        protocol: candidate?.protocol ?? null,
        lane: candidate ? (candidate.protocol === client ? "direct" : "converted") : null,
        entry: entry?.id ?? null,
      };
    }),
  };
}

function changedMeanwhile(): ManagementError {
  return new ManagementError(409, "changed_meanwhile", "The rules were changed meanwhile: look at them again.");
}
