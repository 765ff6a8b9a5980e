import { expect, test } from "vitest";
import { z } from "zod";
import { sqliteDatabase } from "../testing/database-engines.ts";
import { assertDocumented } from "../testing/documented-answer.ts";
import { startTestConsole } from "../testing/test-console.ts";
import { apiDocument } from "./api-document.ts";
import { apiRoute } from "./api-route.ts";

const thing = z.object({ id: z.string(), size: z.number().nullable() }).meta({ id: "TestThing" });

const route = apiRoute({
  method: "POST",
  path: "/api/v1/accounts/:account/things/:thing",
  tag: "Things",
  summary: "Make a thing",
  role: "member",
  scope: "account",
  audit: "thing.made",
  query: z.object({ loud: z.stringbool().optional(), most: z.coerce.number().int().max(9).default(3) }),
  body: z.strictObject({ parent: thing.optional() }),
  answer: thing,
  status: 201,
  handle: async () => ({ body: { id: "a", size: 1 } }),
});

test("a route is documented with its parameters, shapes, refusals and ways in", async () => {
  const document = await apiDocument([route]);
  expect(document).toMatchObject({
    openapi: "3.1.0",
    paths: {
      "/api/v1/accounts/{account}/things/{thing}": {
        post: {
          operationId: "makeAThing",
          tags: ["Things"],
          security: [{ session: [], csrf: [] }, { apiToken: [] }],
          "x-access": { role: "member", scope: "account" },
          requestBody: {
            content: { "application/json": { schema: { properties: { parent: { $ref: expect.any(String) } } } } },
          },
          responses: {
            201: { content: { "application/json": { schema: { $ref: "#/components/schemas/TestThing" } } } },
            400: { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
            409: {},
            429: {},
          },
        },
      },
    },
    components: {
      schemas: { TestThing: { properties: { size: { type: ["number", "null"] } } } },
      securitySchemes: { session: {}, csrf: {}, apiToken: {} },
    },
  });
  const parameters = z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
    .parse(
      z
        .object({ paths: z.record(z.string(), z.object({ post: z.object({ parameters: z.unknown() }) })) })
        .parse(document).paths["/api/v1/accounts/{account}/things/{thing}"]?.post.parameters,
    );
  expect(parameters.map(({ name, in: place, required = false }) => [place, name, required])).toEqual(
    expect.arrayContaining([
      ["path", "account", true],
      ["path", "thing", true],
      ["query", "loud", false],
      ["query", "most", false],
      ["header", "idempotency-key", false],
    ]),
  );
});

test("the document of a running gateway is complete in itself, and sign-in's own addresses are not in it", async () => {
  await using place = await startTestConsole(await sqliteDatabase());
  const { status, body } = await place.browser().get("/api/openapi.json");
  expect(status).toBe(200);
  const text = JSON.stringify(body);
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    expect(body.components.schemas, name).toHaveProperty([name]);
  }
  const paths = Object.keys(body.paths);
  expect(paths).toContain("/api/v1/me");
  expect(paths.filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
  const documented = place.routes.filter((each) => each.document).length;
  expect(Object.values<object>(body.paths).flatMap(Object.keys)).toHaveLength(documented);
  expect(text).not.toContain('"$id"');
});

test("S6 the document can be read as a page, in which nothing of it is markup", async () => {
  const { apiReference } = await import("./api-reference.ts");
  const hostile = { ...route, document: route.document && { ...route.document, summary: '<img src=x onerror="a()">' } };
  const page = apiReference(await apiDocument([hostile]), "abc");
  expect(page).not.toContain("<img");
  expect(page).toContain("&lt;img src=x onerror=&quot;a()&quot;&gt;");
  expect(page).not.toMatch(/<script|\sstyle=|<style(?! nonce="abc")/);

  await using place = await startTestConsole(await sqliteDatabase());
  const answer = await place.browser().get("/api/reference");
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const [, nonce = ""] = /<style nonce="([^"]+)"/.exec(answer.body) ?? [];
  expect(answer.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
  for (const { document } of place.routes) if (document) expect(answer.body).toContain(`id="${document.operationId}"`);
});

test("in tests an answer that is not the documented one is a fault", () => {
  const answer = (body: unknown, status = 201) => assertDocumented(route, { status, body });
  expect(() => answer({ id: "a", size: null })).not.toThrow();
  expect(() => answer({ id: "a" })).toThrow("size");
  expect(() => answer({ id: "a", size: 1, secret: "x" })).toThrow("not documented");
  expect(() => answer({ id: "a", size: 1 }, 200)).toThrow("status 200");
  expect(() => answer(undefined)).toThrow("is not the documented one");
});
