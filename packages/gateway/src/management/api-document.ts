import { z } from "zod";
import type { ManagementRoute, RouteDocument } from "./routes.ts";

/** An OpenAPI 3.1 document. */
export type ApiDocument = Readonly<Record<string, unknown>>;

const errorSchema = z
  .object({
    error: z.object({
      code: z.string().describe("Stable, for programs."),
      message: z.string().describe("For the one who reads it."),
      field: z.string().optional().describe("The field or parameter of the request that is wrong."),
      request_id: z.string().describe("What the gateway's log calls this request."),
    }),
  })
  .meta({ id: "Error" });

const refusals: Readonly<Record<number, string>> = {
  400: "A field or parameter is wrong; `field` names it.",
  401: "Nobody has signed in, or the API token is not good (any more).",
  403: "The role, or the API token, does not allow this.",
  404: "There is nothing here, or nothing that the caller may see.",
  409: "Something else changed meanwhile, or is in the way.",
  429: "Too many requests; `retry-after` tells the seconds to wait.",
};

const introduction = [
  "Everything that the console does, for programs.",
  "",
  "- Times are Unix milliseconds. Money is nano-dollars as decimal text (1 USD is `1000000000`).",
  "- Lists are `{ items, next }`; hand `next` back as `cursor`.",
  "- A field or parameter that an operation does not name is refused.",
  "- Programs send `authorization: Bearer ilt_…`, an API token made on the profile's page.",
  "- Every POST takes an `idempotency-key`: sent again with the same key, it answers what it answered first, for 24 hours.",
].join("\n");

/** Tells of all documented routes as OpenAPI 3.1. The parts of it are loaded when it is first asked for. */
export async function apiDocument(routes: readonly ManagementRoute[]): Promise<ApiDocument> {
  const [{ default: Fastify }, { default: swagger }, zod] = await Promise.all([
    import("fastify"),
    import("@fastify/swagger"),
    import("fastify-type-provider-zod"),
  ]);
  // Never asked anything: it only collects the routes.
  const app = Fastify({ logger: false, exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Interlingua management API", version: "1", description: introduction },
      components: {
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: "interlingua-sid", description: "`__Host-sid` over TLS." },
          csrf: { type: "apiKey", in: "header", name: "x-csrf-token", description: "Of the session: GET /api/v1/me." },
          apiToken: { type: "http", scheme: "bearer", description: "An API token, `ilt_…`." },
        },
      },
    },
    transform: zod.jsonSchemaTransform,
    transformObject: zod.jsonSchemaTransformObject,
  });
  const documented = routes.flatMap((route) => (route.document ? [{ route, document: route.document }] : []));
  for (const { route, document } of documented.sort((one, other) => (one.route.path < other.route.path ? -1 : 1))) {
    app.route({
      method: route.method,
      url: route.path,
      schema: schemaOf(route, document),
      handler: () => undefined,
    });
  }
  await app.ready();
  const whole: Record<string, unknown> = { ...app.swagger() };
  await app.close();
  return withoutUnused(whole);
}

function schemaOf(route: ManagementRoute, document: RouteDocument): object {
  const names = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => name);
  const params = names.length > 0 ? z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) : undefined;
  const isPost = route.method === "POST";
  const key = z.string().min(1).max(255).optional().describe("Makes the request safe to send again.");
  const bad = Object.entries(refusals).filter(([status]) => refusesWith(Number(status), route));
  const good = document.answer ?? z.undefined();
  return {
    tags: [document.tag],
    summary: document.summary,
    ...(document.description === undefined ? {} : { description: document.description }),
    operationId: document.operationId,
    security: securityOf(route),
    "x-access": { role: route.role, scope: route.scope },
    ...(params === undefined ? {} : { params }),
    ...(document.query === undefined ? {} : { querystring: document.query }),
    ...(document.body === undefined ? {} : { body: document.body }),
    ...(isPost && route.auth === "session" ? { headers: z.object({ "idempotency-key": key }) } : {}),
    response: {
      [document.status]:
        document.answer === undefined
          ? z.undefined().describe("Done.")
          : {
              description: document.secretAnswer ? "Good. Holds a secret that is told this once." : "Good.",
              content: { [document.answerType]: { schema: good } },
            },
      ...Object.fromEntries(
        bad.map(([status, description]) => [
          status,
          { description, content: { "application/json": { schema: errorSchema } } },
        ]),
      ),
    },
  };
}

function refusesWith(status: number, route: ManagementRoute): boolean {
  switch (status) {
    case 401:
      return route.auth === "session";
    case 403:
      return route.auth === "session" && (route.role !== "user" || route.method !== "GET");
    case 404:
      return route.path.includes(":");
    case 409:
      return route.method !== "GET";
    default:
      return true;
  }
}

function securityOf(route: ManagementRoute): Record<string, string[]>[] {
  if (route.auth === "none") return [];
  const ways: Record<string, string[]>[] = [route.method === "GET" ? { session: [] } : { session: [], csrf: [] }];
  if (route.tokens === "allowed") ways.push({ apiToken: [] });
  if (route.auth === "optional") ways.push({});
  return ways;
}

/** Every schema with a name is there twice, as it is taken and as it is given; what nobody refers to is left out. */
function withoutUnused(document: Record<string, unknown>): ApiDocument {
  const components = z
    .object({ schemas: z.record(z.string(), z.unknown()), securitySchemes: z.unknown() })
    .parse(document.components);
  const used = new Set<string>();
  const look = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(components.schemas[name]);
    }
  };
  look(document.paths);
  const schemas = Object.fromEntries([...used].sort().map((name) => [name, components.schemas[name]]));
  return { ...document, components: { ...components, schemas } };
}
