import { type Selectable, sql } from "kysely";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { IncidentSeverity, IncidentTable, IncidentUpdateTable } from "../storage/status-schema.ts";

export const incidentSeverities = [
  "maintenance",
  "minor",
  "major",
  "critical",
] as const satisfies readonly IncidentSeverity[];

/** What operators tell everybody of a disturbance. Times in unix milliseconds, texts are plain. */
export interface Incident {
  id: string;
  title: string;
  body: string;
  severity: IncidentSeverity;
  /** Names of channels and of published models. */
  channels: readonly string[];
  models: readonly string[];
  startedAt: number;
  /** Null while it lasts. */
  resolvedAt: number | null;
  updatedAt: number;
  /** Newest first. */
  updates: readonly IncidentUpdate[];
}

interface IncidentUpdate {
  id: string;
  at: number;
  body: string;
  /** It tells that the incident is over. */
  resolves: boolean;
}

/** What an operator writes of an incident. */
export type IncidentFacts = Pick<
  Incident,
  "title" | "body" | "severity" | "channels" | "models" | "startedAt" | "resolvedAt"
>;

/** Where a page of a list ends: begin and id of its last incident. */
export type IncidentPosition = [startedAt: number, id: string];

interface IncidentQuery {
  state: "open" | "resolved" | "all";
  after: IncidentPosition | undefined;
  limit: number;
}

/** The notes of operators. Each change is one unit with its entry in the audit log. Rejects with a StorageError. */
export interface Incidents {
  /** The latest begin first; one more than `limit` where there are more. */
  list(query: IncidentQuery): Promise<Incident[]>;
  /** Those that last, and those that began at `from` or later: the latest first, at most `limit`. */
  recent(from: number, limit: number): Promise<Incident[]>;
  /** Undefined where there is none. */
  read(id: string): Promise<Incident | undefined>;
  create(facts: IncidentFacts, audit: (id: string) => Statement): Promise<Incident>;
  /** False where there is none. */
  change(id: string, change: Partial<IncidentFacts>, audit: Statement): Promise<boolean>;
  /** Adds a line to what is told; false where there is no such incident. */
  addUpdate(id: string, update: { body: string; resolves: boolean }, audit: Statement): Promise<boolean>;
}

export function createIncidents(
  { read, build, write }: Pick<Database, "read" | "build" | "write">,
  platform: Pick<Platform, "now" | "id">,
): Incidents {
  const withUpdates = async (rows: readonly Selectable<IncidentTable>[]): Promise<Incident[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const updates = await read
      .selectFrom("incident_update")
      .selectAll()
      .where("incident_id", "in", ids)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .execute();
    const byIncident = Map.groupBy(updates, ({ incident_id }) => incident_id);
    return rows.map((row) => incidentOf(row, byIncident.get(row.id) ?? []));
  };

  const find = async (id: string): Promise<Incident | undefined> => {
    const row = await read.selectFrom("incident").selectAll().where("id", "=", id).executeTakeFirst();
    return row && (await withUpdates([row]))[0];
  };

  /** False where the first statement, which changes the incident, found none. */
  const writeWhereThere = async (unit: readonly Statement[]): Promise<boolean> => {
    try {
      await write(unit);
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.kind === "condition" && error.statement === 0) return false;
      throw error;
    }
  };

  return {
    async list({ state, after, limit }) {
      let query = read.selectFrom("incident").selectAll();
      if (state !== "all") query = query.where("resolved_at", state === "open" ? "is" : "is not", null);
      if (after !== undefined) {
        const [startedAt, id] = after;
        query = query.where((is) =>
          is.or([is("started_at", "<", startedAt), is.and([is("started_at", "=", startedAt), is("id", "<", id)])]),
        );
      }
      const rows = await query
        .orderBy("started_at", "desc")
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      return withUpdates(rows);
    },

    async recent(from, limit) {
      const newest = read.selectFrom("incident").selectAll().orderBy("started_at", "desc").orderBy("id", "desc");
      const [open, begun] = await Promise.all([
        newest.where("resolved_at", "is", null).limit(limit).execute(),
        newest.where("started_at", ">=", from).limit(limit).execute(),
      ]);
      const rows = [...new Map([...open, ...begun].map((row) => [row.id, row])).values()];
      rows.sort((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));
      // What lasts must not be pushed out by what is over.
      const shown = [
        ...rows.filter((row) => row.resolved_at === null),
        ...rows.filter((row) => row.resolved_at !== null),
      ]
        .slice(0, limit)
        .sort((a, b) => rows.indexOf(a) - rows.indexOf(b));
      return withUpdates(shown);
    },

    read: find,

    async create(facts, audit) {
      const id = platform.id("inc");
      const now = platform.now();
      const row = { id, created_at: now, updated_at: now, ...columnsOf(facts) };
      await write([build.insertInto("incident").values(row).compile(), audit(id)]);
      return incidentOf(row, []);
    },

    async change(id, change, audit) {
      const update = build
        .updateTable("incident")
        .set({ ...definedColumnsOf(change), updated_at: platform.now() })
        .where("id", "=", id);
      return writeWhereThere([expecting(1, update.compile()), audit]);
    },

    async addUpdate(id, { body, resolves }, audit) {
      const now = platform.now();
      const touch = build.updateTable("incident").set({ updated_at: now }).where("id", "=", id);
      const line = build
        .insertInto("incident_update")
        .values({ id: platform.id("incu"), incident_id: id, at: now, body, resolves: resolves ? 1 : 0 });
      const resolve = build
        .updateTable("incident")
        // One that was announced may be over before it began.
        .set({
          resolved_at: sql<number>`coalesce(resolved_at, case when started_at > ${now} then started_at else ${now} end)`,
        })
        .where("id", "=", id);
      const unit = [expecting(1, touch.compile()), line.compile(), ...(resolves ? [resolve.compile()] : [])];
      return writeWhereThere([...unit, audit]);
    },
  };
}

function incidentOf(row: Selectable<IncidentTable>, updates: readonly Selectable<IncidentUpdateTable>[]): Incident {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    severity: row.severity,
    channels: namesOf(row.channels),
    models: namesOf(row.models),
    startedAt: row.started_at,
    resolvedAt: row.resolved_at,
    updatedAt: row.updated_at,
    updates: updates.map(({ id, at, body, resolves }) => ({ id, at, body, resolves: resolves === 1 })),
  };
}

/** Written here alone, from lists of texts. */
function namesOf(json: string): string[] {
  return JSON.parse(json) as string[];
}

function columnsOf({ channels, models, startedAt, resolvedAt, ...same }: IncidentFacts) {
  return {
    ...same,
    channels: JSON.stringify(channels),
    models: JSON.stringify(models),
    started_at: startedAt,
    resolved_at: resolvedAt,
  };
}

function definedColumnsOf({ channels, models, startedAt, resolvedAt, ...same }: Partial<IncidentFacts>) {
  return {
    ...same,
    ...(channels === undefined ? {} : { channels: JSON.stringify(channels) }),
    ...(models === undefined ? {} : { models: JSON.stringify(models) }),
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(resolvedAt === undefined ? {} : { resolved_at: resolvedAt }),
  };
}
