import { z } from "zod";
import type { Platform } from "../../platform.ts";
import { type Database, expecting, StorageError } from "../../storage/database.ts";
import type { SavedViewTable } from "../../storage/users-schema.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { ManagementError, notFound } from "../failure.ts";
import type { ManagementCall, ManagementRoute } from "../routes.ts";

export interface SavedViewRoutesParts {
  database: Database;
  platform: Pick<Platform, "now" | "id">;
}

/** Views of one user in one place. */
const mostViews = 50;
const mostSearchCharacters = 4096;

const nameSchema = z.string().trim().min(1).max(80);
const searchSchema = z
  .record(z.string().max(64), z.union([z.string(), z.number(), z.boolean()]))
  .refine((search) => JSON.stringify(search).length <= mostSearchCharacters, {
    error: `at most ${mostSearchCharacters} characters of JSON`,
  })
  .describe("Search parameters of the page.");

const viewSchema = z
  .object({ id: z.string(), name: z.string(), search: searchSchema, created_at: timeSchema })
  .meta({ id: "SavedView" });
const listSchema = z.object({ items: z.array(viewSchema) });
const newView = z.strictObject({ name: nameSchema, search: searchSchema });
const changedView = z.strictObject({ name: nameSchema.optional(), search: searchSchema.optional() });

const where = {
  account: { path: "/api/v1/accounts/:account/saved-views", suffix: "", role: "viewer", scope: "account" },
  all: {
    path: "/api/v1/saved-views",
    suffix: " over all accounts",
    role: "operator",
    scope: "installation",
  },
} as const;

/** Filters of the call log under a name: each user's own, in each account and, for operators, over all of them. */
export function savedViewRoutes(parts: SavedViewRoutesParts): ManagementRoute[] {
  return [...routesAt(parts, where.account), ...routesAt(parts, where.all)];
}

function routesAt(parts: SavedViewRoutesParts, { path, suffix, role, scope }: (typeof where)[keyof typeof where]) {
  const { database } = parts;
  const common = { tag: "Saved views", role, scope, tokens: "never" } as const;
  return [
    apiRoute({
      ...common,
      method: "GET",
      path,
      summary: `List saved views${suffix}`,
      audit: "none",
      answer: listSchema,
      async handle(call) {
        const rows = await viewsOf(database, placeOf(call)).orderBy("name").orderBy("id").execute();
        return { body: { items: rows.map(viewJson) } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path,
      summary: `Save a view${suffix}`,
      audit: "saved_view.created",
      body: newView,
      answer: viewSchema,
      status: 201,
      async handle(call) {
        const place = placeOf(call);
        const { name, search } = call.body;
        const there = await viewsOf(database, place).limit(mostViews).execute();
        if (there.length >= mostViews) {
          throw new ManagementError(409, "too_many", `There are ${mostViews} views already: delete one first.`);
        }
        const row: SavedViewTable = {
          id: parts.platform.id("view"),
          user_id: place.userId,
          account_id: place.accountId,
          name,
          search: JSON.stringify(search),
          created_at: parts.platform.now(),
        };
        const insert = database.build.insertInto("saved_view").values(row).compile();
        await written(database, [insert, call.audit(entryOf(place, row.id, { name }))]);
        return { body: viewJson(row) };
      },
    }),
    apiRoute({
      ...common,
      method: "PATCH",
      path: `${path}/:view`,
      summary: `Change a saved view${suffix}`,
      audit: "saved_view.changed",
      body: changedView,
      answer: viewSchema,
      async handle(call) {
        const place = placeOf(call);
        const before = await viewOf(database, place, call.params.view);
        const name = call.body.name ?? before.name;
        const search = call.body.search === undefined ? before.search : JSON.stringify(call.body.search);
        const update = database.build
          .updateTable("saved_view")
          .set({ name, search })
          .where("id", "=", before.id)
          .where("user_id", "=", place.userId)
          .compile();
        await written(database, [expecting(1, update), call.audit(entryOf(place, before.id, { name }))]);
        return { body: viewJson({ ...before, name, search }) };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: `${path}/:view`,
      summary: `Delete a saved view${suffix}`,
      audit: "saved_view.deleted",
      async handle(call) {
        const place = placeOf(call);
        const { id, name } = await viewOf(database, place, call.params.view);
        const remove = database.build
          .deleteFrom("saved_view")
          .where("id", "=", id)
          .where("user_id", "=", place.userId)
          .compile();
        await written(database, [expecting(1, remove), call.audit(entryOf(place, id, { name }))]);
        return {};
      },
    }),
  ];
}

/** Whose views, and over what. */
interface Place {
  userId: string;
  accountId: string | null;
}

function placeOf({ caller, accountId }: Pick<ManagementCall, "caller" | "accountId">): Place {
  if (!caller) throw new Error("A route of saved views was reached without a session");
  return { userId: caller.userId, accountId: accountId ?? null };
}

function viewsOf({ read }: Pick<Database, "read">, { userId, accountId }: Place) {
  const query = read.selectFrom("saved_view").selectAll().where("user_id", "=", userId);
  return accountId === null ? query.where("account_id", "is", null) : query.where("account_id", "=", accountId);
}

async function viewOf(database: Database, place: Place, id: string): Promise<SavedViewTable> {
  const row = await viewsOf(database, place).where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

function entryOf({ accountId }: Place, id: string, detail: { name: string }) {
  return { target: { kind: "saved_view", id }, accountId, detail };
}

async function written(database: Database, unit: Parameters<Database["write"]>[0]): Promise<void> {
  try {
    await database.write(unit);
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    if (cause.kind === "condition") throw notFound();
    if (cause.kind !== "constraint") throw cause;
    throw new ManagementError(409, "name_taken", "You have a view of this name already.", { field: "name" });
  }
}

function viewJson({ id, name, search, created_at }: SavedViewTable): z.output<typeof viewSchema> {
  return { id, name, search: searchSchema.parse(JSON.parse(search)), created_at };
}
