import { expect, test } from "vitest";
import { z } from "zod";
import { apiRoute } from "./api-route.ts";
import { ManagementError } from "./failure.ts";
import { opaqueCursor, pageOf, pageQuery } from "./paging.ts";
import { checkRoutes, type ManagementCall } from "./routes.ts";

const call: ManagementCall = {
  caller: undefined,
  accountId: "acc_1",
  params: { account: "acc_1", thing: "thg_1" },
  query: new URLSearchParams(),
  body: {},
  headers: {},
  origin: "http://localhost",
  target: "/",
  address: "127.0.0.1",
  actor: { kind: "user", id: null, name: "unknown", address: null },
  audit: () => {
    throw new Error("nothing is changed here");
  },
};

const things = apiRoute({
  method: "GET",
  path: "/api/v1/accounts/:account/things",
  tag: "Things",
  summary: "List things",
  role: "viewer",
  scope: "account",
  audit: "none",
  query: z.object({ ...pageQuery, open: z.stringbool().optional() }),
  answer: z.object({ account: z.string(), limit: z.number(), open: z.boolean().nullable() }),
  handle: async ({ accountId, query }) => ({
    body: { account: accountId, limit: query.limit, open: query.open ?? null },
  }),
});

const change = apiRoute({
  method: "PATCH",
  path: "/api/v1/accounts/:account/things/:thing",
  tag: "Things",
  summary: "Change a thing",
  role: "member",
  scope: "account",
  audit: "thing.changed",
  body: z.strictObject({ name: z.string().min(1), limits: z.strictObject({ most: z.number() }).optional() }),
  async handle({ params }) {
    expect(params.thing).toBe("thg_1");
    return {};
  },
});

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ManagementError)) throw new Error("was not refused");
  return { status: error.status, code: error.code, field: error.field };
}

test("the rest of a declaration follows from its method", () => {
  expect(things).toMatchObject({ auth: "session", bodyBytes: 0, rate: "read", tokens: "allowed" });
  expect(things.document).toMatchObject({ operationId: "listThings", status: 200, answerType: "application/json" });
  expect(change).toMatchObject({ bodyBytes: 65_536, rate: "write" });
  expect(change.document).toMatchObject({ status: 204 });
  expect(() => checkRoutes([things, { ...things, path: "/api/v1/accounts/:account/others" }])).toThrow("listThings");
});

test("parameters come as texts and reach the route as what they say", async () => {
  const asked = (text: string) => things.handle({ ...call, query: new URLSearchParams(text) });
  expect(await asked("")).toMatchObject({ body: { account: "acc_1", limit: 50, open: null } });
  expect(await asked("limit=7&open=true")).toMatchObject({ status: 200, body: { limit: 7, open: true } });
  expect(await refusal(asked("limit=0"))).toEqual({ status: 400, code: "invalid_request", field: "limit" });
  expect(await refusal(asked("limit=1&limit=2"))).toEqual({ status: 400, code: "invalid_request", field: "limit" });
  expect(await refusal(asked("serach=x"))).toEqual({ status: 400, code: "unknown_field", field: "serach" });
  expect(await refusal(asked("__proto__=x"))).toMatchObject({ status: 400 });
});

test("A8 a field that the route does not name is refused, at any depth", async () => {
  const sent = (body: ManagementCall["body"]) => change.handle({ ...call, body });
  expect(await sent({ name: "a" })).toMatchObject({ status: 204 });
  expect(await refusal(sent({}))).toEqual({ status: 400, code: "invalid_request", field: "name" });
  expect(await refusal(sent({ name: "a", balance: "1" }))).toEqual({
    status: 400,
    code: "unknown_field",
    field: "balance",
  });
  expect(await refusal(sent({ name: "a", limits: { most: 1, role: "owner" } }))).toEqual({
    status: 400,
    code: "unknown_field",
    field: "limits.role",
  });
});

test("a cursor is read only by the list that wrote it", () => {
  const cursor = opaqueCursor(z.tuple([z.number(), z.string()]));
  expect(cursor.decode(cursor.encode([1, "a"]))).toEqual([1, "a"]);
  expect(cursor.decode(undefined)).toBeUndefined();
  for (const text of ["x", "", opaqueCursor(z.string()).encode("a"), "%%"]) {
    expect(() => cursor.decode(text), text).toThrow("none of this list");
  }
});

test("a page has a next one only where a row more was found", () => {
  const cursor = opaqueCursor(z.number());
  const page = (rows: number[]) => pageOf(rows, 2, String, cursor, (row) => row);
  expect(page([1, 2])).toEqual({ items: ["1", "2"], next: null });
  expect(page([1, 2, 3])).toEqual({ items: ["1", "2"], next: cursor.encode(2) });
  expect(page([])).toEqual({ items: [], next: null });
});
