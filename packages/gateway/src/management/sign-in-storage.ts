import { type CleanedWhere, createAdapterFactory, type DBAdapterInstance } from "@better-auth/core/db/adapter";
import { type Compilable, type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { Database, StatementResult } from "../storage/database.ts";
import { isLive, type LooseSchema, tokenDigest } from "./session-rules.ts";

type Row = Record<string, unknown>;
type Where = readonly CleanedWhere[];

const sessions = "user_session";

/**
 * The way of the sign-in library into our database: reads through the reading connection, writes as units of the one
 * writer. Every statement is a unit of its own: the library does without transactions. Here the rules of sessions hold,
 * whatever part of it asks: of a session's token the digest is stored, and a session that is over, or whose user is
 * disabled, is not found.
 */
export function signInStorage(database: Database, now: () => number): DBAdapterInstance {
  // The assertions: tables and columns are the library's, known only when it asks; a test holds them against ours.
  const read = database.read as unknown as Kysely<LooseSchema>;
  const build = database.build as unknown as Kysely<LooseSchema>;

  const write = async (query: Compilable): Promise<StatementResult> => {
    const [result] = await database.write([query.compile()]);
    return result ?? { changes: 0, rows: [] };
  };
  const matching = (model: string, where: Where) => (expression: ExpressionBuilder<LooseSchema, string>) =>
    condition(expression, stored(model, where));
  const idOfOne = (model: string, where: Where) =>
    build.selectFrom(model).select("id").where(matching(model, where)).limit(1);
  const select = (model: string, where: Where) => {
    const query = read.selectFrom(model).where(matching(model, where));
    return model === sessions ? query.where((expression) => isLive(expression, now())) : query;
  };

  return createAdapterFactory({
    config: {
      adapterId: "interlingua",
      supportsDates: false,
      supportsBooleans: false,
      supportsJSON: false,
      supportsNumericIds: false,
      transaction: false,
      // Behind its own conversion, which makes texts of dates.
      customTransformInput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === "date" && typeof data === "string" ? Date.parse(data) : data,
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === "date" && typeof data === "number" ? new Date(data) : data,
    },
    adapter: ({ getFieldName }) => ({
      async create({ model, data }) {
        const { rows } = await write(build.insertInto(model).values(toStore(model, data)).returningAll());
        // Of a session the caller needs the token, of which the row has the digest. The row has all of the data's columns.
        return { ...rows[0], ...tokenOf(model, data) } as typeof data;
      },
      async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const row = await select(model, where).selectAll().limit(1).executeTakeFirst();
        return asked<T>(row && { ...row, ...tokenOf(model, asData(where)) });
      },
      async findMany<T>({ model, where = [], limit, offset, sortBy }: FindMany) {
        let query = select(model, where).selectAll().limit(limit);
        // The only name that comes as the library's own, not as ours.
        if (sortBy) query = query.orderBy(getFieldName({ model, field: sortBy.field }), sortBy.direction);
        if (offset !== undefined) query = query.offset(offset);
        // The library says which rows it reads.
        return (await query.execute()) as T[];
      },
      async count({ model, where = [] }) {
        const row = await select(model, where)
          .select((expression) => expression.fn.countAll<number>().as("count"))
          .executeTakeFirst();
        return Number(row?.count ?? 0);
      },
      async update<T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) {
        // What a row is changed to is an object of its columns.
        const changes = toStore(model, update as Row);
        const query = build.updateTable(model).set(changes).where("id", "in", idOfOne(model, where)).returningAll();
        const { rows } = await write(query);
        return asked<T>(rows[0] && { ...rows[0], ...tokenOf(model, asData(where)) });
      },
      async updateMany({ model, where, update }) {
        const query = build.updateTable(model).set(toStore(model, update)).where(matching(model, where));
        return (await write(query)).changes;
      },
      async delete({ model, where }) {
        await write(build.deleteFrom(model).where("id", "in", idOfOne(model, where)));
      },
      async deleteMany({ model, where }) {
        return (await write(build.deleteFrom(model).where(matching(model, where)))).changes;
      },
      async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        // The condition again: who waited for another one's lock must see what that one did.
        const query = build
          .deleteFrom(model)
          .where("id", "in", idOfOne(model, where))
          .where(matching(model, where))
          .returningAll();
        return asked<T>((await write(query)).rows[0]);
      },
      async incrementOne<T>({ model, where, increment, set = {} }: IncrementOne) {
        const changes: Row = { ...toStore(model, set) };
        for (const [column, delta] of Object.entries(increment)) {
          changes[column] = sql`coalesce(${sql.ref(column)}, 0) + ${delta}`;
        }
        const query = build
          .updateTable(model)
          .set(changes)
          .where("id", "in", idOfOne(model, where))
          .where(matching(model, where))
          .returningAll();
        return asked<T>((await write(query)).rows[0]);
      },
    }),
  });
}

interface FindMany {
  model: string;
  where?: CleanedWhere[] | undefined;
  limit: number;
  offset?: number | undefined;
  sortBy?: { field: string; direction: "asc" | "desc" } | undefined;
}

interface IncrementOne {
  model: string;
  where: CleanedWhere[];
  increment: Record<string, number>;
  set?: Record<string, unknown> | undefined;
}

/** A row as the type that the library reads it by, which only the library knows; null where there is none. */
function asked<T>(row: Row | undefined): T | null {
  return row === undefined ? null : (row as T);
}

function toStore(model: string, data: Row): Row {
  return model === sessions && typeof data.token === "string" ? { ...data, token: tokenDigest(data.token) } : data;
}

/** The token by which a session was asked for. */
function tokenOf(model: string, data: Row): Row {
  return model === sessions && typeof data.token === "string" ? { token: data.token } : {};
}

function asData(where: Where): Row {
  return Object.fromEntries(
    where.filter(({ operator }) => operator === "eq").map(({ field, value }) => [field, value]),
  );
}

function stored(model: string, where: Where): Where {
  if (model !== sessions) return where;
  return where.map((clause) => {
    if (clause.field !== "token") return clause;
    const { value } = clause;
    if (typeof value === "string") return { ...clause, value: tokenDigest(value) };
    if (Array.isArray(value)) return { ...clause, value: value.map((token) => tokenDigest(String(token))) };
    return clause;
  });
}

/** All of the clauses joined by "and", and one of those joined by "or". */
function condition(expression: ExpressionBuilder<LooseSchema, string>, where: Where): Expression<SqlBool> {
  const made = (connector: "AND" | "OR") =>
    where.filter((clause) => clause.connector === connector).map((clause) => comparison(expression, clause));
  const either = made("OR");
  return expression.and([...made("AND"), ...(either.length > 0 ? [expression.or(either)] : [])]);
}

function comparison(
  expression: ExpressionBuilder<LooseSchema, string>,
  { field, operator, value, mode }: CleanedWhere,
): Expression<SqlBool> {
  if (mode === "insensitive") throw new Error(`The sign-in library asks for ${field} in any case, which it never did`);
  switch (operator) {
    case "eq":
      return value === null ? expression(field, "is", null) : expression(field, "=", value);
    case "ne":
      return value === null ? expression(field, "is not", null) : expression(field, "<>", value);
    case "lt":
      return expression(field, "<", value);
    case "lte":
      return expression(field, "<=", value);
    case "gt":
      return expression(field, ">", value);
    case "gte":
      return expression(field, ">=", value);
    case "in":
    case "not_in":
      return expression(field, operator === "in" ? "in" : "not in", Array.isArray(value) ? value : [value]);
    case "contains":
    case "starts_with":
    case "ends_with":
      // Nothing that is switched on searches by parts of a text.
      throw new Error(`The sign-in library asks for a part of ${field}, which it never did`);
  }
}
