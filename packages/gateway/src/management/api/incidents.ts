import { z } from "zod";
import type { Catalogue } from "../../catalogue/published-models.ts";
import type { Platform } from "../../platform.ts";
import type { Incident, IncidentFacts, IncidentPosition, Incidents } from "../../status/incidents.ts";
import type { StatusBoard } from "../../status/status-board.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { ManagementError, notFound } from "../failure.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { incidentJson } from "./public-status.ts";
import { incidentFields, severitySchema } from "./status-schemas.ts";

const incidentSchema = z
  .object({ ...incidentFields, channels: z.array(z.string()).describe("Names.") })
  .meta({ id: "Incident" });

const names = z.array(z.string().min(1).max(256)).max(100);
const title = z.string().trim().min(1).max(200);
const body = z.string().trim().max(10_000).describe("Plain text.");

const createBody = z.strictObject({
  title,
  body: body.default(""),
  severity: severitySchema,
  channels: names.default([]).describe("Names of channels that it touches."),
  models: names.default([]).describe("Published names that it touches."),
  started_at: timeSchema.optional().describe("Unix time in milliseconds; now unless told otherwise."),
  resolved_at: timeSchema.nullable().default(null),
});

const changeBody = z.strictObject({
  title: title.optional(),
  body: body.optional(),
  severity: severitySchema.optional(),
  channels: names.optional(),
  models: names.optional(),
  started_at: timeSchema.optional(),
  resolved_at: timeSchema.nullable().optional().describe("Null opens it again."),
});

const updateBody = z.strictObject({
  body: z.string().trim().min(1).max(10_000).describe("Plain text."),
  resolves: z.boolean().default(false).describe("It tells that the incident is over."),
});

const cursor = opaqueCursor<IncidentPosition>(z.tuple([z.number().int(), z.string()]));

export interface IncidentRoutesOptions {
  incidents: Incidents;
  catalogue: Pick<Catalogue, "channels" | "published">;
  board: Pick<StatusBoard, "forget">;
  platform: Pick<Platform, "now">;
}

const operators = { tag: "Incidents", role: "operator", scope: "installation" } as const;

/** What operators tell everybody of disturbances: on the status page and in its feed. */
export function incidentRoutes(options: IncidentRoutesOptions): ManagementRoute[] {
  const { incidents, board, platform } = options;

  const existing = async (id: string): Promise<Incident> => {
    const incident = await incidents.read(id);
    if (!incident) throw notFound();
    return incident;
  };

  return [
    apiRoute({
      ...operators,
      method: "GET",
      path: "/api/v1/incidents",
      summary: "List incidents",
      audit: "none",
      query: z.object({ ...pageQuery, state: z.enum(["open", "resolved", "all"]).default("all") }),
      answer: z.object({ items: z.array(incidentSchema), next: nextSchema }),
      async handle({ query: { cursor: from, limit, state } }) {
        const found = await incidents.list({ state, after: cursor.decode(from), limit });
        return {
          body: pageOf(found, limit, ownJson, cursor, ({ startedAt, id }): IncidentPosition => [startedAt, id]),
        };
      },
    }),
    apiRoute({
      ...operators,
      method: "POST",
      path: "/api/v1/incidents",
      summary: "Create an incident",
      audit: "incident.created",
      body: createBody,
      answer: incidentSchema,
      status: 201,
      async handle(call) {
        const { started_at: startedAt = platform.now(), resolved_at: resolvedAt, ...same } = call.body;
        const facts: IncidentFacts = { ...same, startedAt, resolvedAt };
        checkFacts(options, facts, facts);
        const made = await incidents.create(facts, (id) =>
          call.audit({ target: { kind: "incident", id }, accountId: null, detail: detailOf(facts) }),
        );
        board.forget();
        return { body: ownJson(made) };
      },
    }),
    apiRoute({
      ...operators,
      method: "GET",
      path: "/api/v1/incidents/:incident",
      summary: "Show an incident",
      audit: "none",
      answer: incidentSchema,
      handle: async ({ params }) => ({ body: ownJson(await existing(params.incident)) }),
    }),
    apiRoute({
      ...operators,
      method: "PATCH",
      path: "/api/v1/incidents/:incident",
      summary: "Change an incident",
      audit: "incident.changed",
      body: changeBody,
      answer: incidentSchema,
      async handle(call) {
        const { incident: id } = call.params;
        const before = await existing(id);
        const { started_at: startedAt, resolved_at: resolvedAt, ...same } = call.body;
        const change = defined({ ...same, startedAt, resolvedAt });
        checkFacts(options, change, { ...before, ...change });
        const detail = { ...detailOf(change, "after_"), ...detailOf(pick(before, change), "before_") };
        const audit = call.audit({ target: { kind: "incident", id }, accountId: null, detail });
        if (!(await incidents.change(id, change, audit))) throw notFound();
        board.forget();
        return { body: ownJson(await existing(id)) };
      },
    }),
    apiRoute({
      ...operators,
      method: "POST",
      path: "/api/v1/incidents/:incident/updates",
      summary: "Add an update to an incident",
      audit: "incident.updated",
      body: updateBody,
      answer: incidentSchema,
      status: 201,
      async handle(call) {
        const { incident: id } = call.params;
        const audit = call.audit({
          action: call.body.resolves ? "incident.resolved" : "incident.updated",
          target: { kind: "incident", id },
          accountId: null,
          detail: { body: call.body.body },
        });
        if (!(await incidents.addUpdate(id, call.body, audit))) throw notFound();
        board.forget();
        return { body: ownJson(await existing(id)) };
      },
    }),
  ];
}

/** Refuses names that nobody knows, and ends before their begin. */
function checkFacts(
  { catalogue }: Pick<IncidentRoutesOptions, "catalogue">,
  change: Partial<IncidentFacts>,
  { startedAt, resolvedAt }: Pick<IncidentFacts, "startedAt" | "resolvedAt">,
): void {
  const known = {
    channels: new Set(catalogue.channels().map(({ name }) => name)),
    models: new Set(catalogue.published().map(({ id }) => id)),
  };
  for (const field of ["channels", "models"] as const) {
    const unknown = change[field]?.find((name) => !known[field].has(name));
    if (unknown !== undefined) {
      throw new ManagementError(
        400,
        "invalid_request",
        `The field '${field}' names '${unknown}', which is not there.`,
        {
          field,
        },
      );
    }
  }
  if (resolvedAt !== null && resolvedAt < startedAt) {
    throw new ManagementError(400, "invalid_request", "An incident cannot be over before it began.", {
      field: "resolved_at",
    });
  }
}

function ownJson(incident: Incident): z.output<typeof incidentSchema> {
  return { ...incidentJson(incident), channels: [...incident.channels] };
}

/** What the audit log tells. */
function detailOf(
  facts: Partial<IncidentFacts>,
  prefix = "",
): Record<string, string | number | null | readonly string[]> {
  return Object.fromEntries(
    Object.entries({
      title: facts.title,
      body: facts.body,
      severity: facts.severity,
      channels: facts.channels,
      models: facts.models,
      started_at: facts.startedAt,
      resolved_at: facts.resolvedAt,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[`${prefix}${name}`, value]])),
  );
}

function defined({
  ...change
}: { [Name in keyof IncidentFacts]?: IncidentFacts[Name] | undefined }): Partial<IncidentFacts> {
  // Only the values that are undefined are taken out.
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<IncidentFacts>;
}

/** Of the facts, those that the change names. */
function pick(facts: IncidentFacts, change: Partial<IncidentFacts>): Partial<IncidentFacts> {
  return defined(
    Object.fromEntries(
      Object.keys(change).map((name) => [name, facts[name as keyof IncidentFacts]]),
    ) as Partial<IncidentFacts>,
  );
}
