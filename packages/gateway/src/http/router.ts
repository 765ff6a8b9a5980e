import { decodeModel } from "./raw-target.ts";
import type { Method, Route } from "./routes.ts";

export type RouteMatch =
  | { kind: "found"; route: Route /** The `{model}` or `{id}` of the path. */; parameter?: string }
  | { kind: "wrong-method"; allow: readonly Method[]; route: Route }
  | { kind: "bad-model" }
  | { kind: "unknown" };

export interface Router {
  match(method: string, path: string): RouteMatch;
}

interface ModelRoute {
  prefix: string;
  /** Behind the last colon; "" for a plain model address. */
  verb: string;
  route: Route;
}

interface IdRoute {
  prefix: string;
  /** What stands behind the id, with its slash; "" for nothing. */
  suffix: string;
  route: Route;
}

/**
 * Builds the matcher. Throws when a route lacks a declaration or two routes claim one method and path, so that the
 * gateway does not start with a gap (A5).
 */
export function createRouter(routes: readonly Route[]): Router {
  const exact = new Map<string, Route[]>();
  const models: ModelRoute[] = [];
  const ids: IdRoute[] = [];
  const claimed = new Set<string>();
  for (const route of routes) {
    checkDeclaration(route);
    for (const method of route.methods) {
      const claim = `${method} ${route.path}`;
      if (claimed.has(claim)) throw new Error(`Two routes claim ${claim}.`);
      claimed.add(claim);
    }
    const [beforeModel, afterModel] = cut(route.path, "{model}");
    const [beforeId, afterId] = cut(route.path, "{id}");
    if (afterModel !== undefined) models.push({ prefix: beforeModel, verb: afterModel.replace(/^:/, ""), route });
    else if (afterId !== undefined) ids.push({ prefix: beforeId, suffix: afterId, route });
    else exact.set(route.path, [...(exact.get(route.path) ?? []), route]);
  }

  return {
    match(method, rawPath) {
      const path = rawPath.length > 1 && rawPath.endsWith("/") ? rawPath.slice(0, -1) : rawPath;
      const fixed = exact.get(path);
      if (fixed) return choose(method, fixed, undefined);
      return matchModel(method, path, models) ?? matchId(method, path, ids) ?? { kind: "unknown" };
    },
  };
}

function matchModel(method: string, path: string, routes: readonly ModelRoute[]): RouteMatch | undefined {
  const prefix = routes.find((entry) => path.startsWith(entry.prefix) && path.length > entry.prefix.length)?.prefix;
  if (prefix === undefined) return undefined;
  const under = routes.filter((entry) => entry.prefix === prefix);
  const rest = path.slice(prefix.length);
  const colon = rest.lastIndexOf(":");
  const verbed = colon === -1 ? [] : under.filter((entry) => entry.verb === rest.slice(colon + 1));
  // A colon may belong to the model's own name; then no verb of ours stands behind it.
  const chosen = verbed.length > 0 ? verbed : method === "POST" ? [] : under.filter((entry) => entry.verb === "");
  if (chosen.length === 0) return undefined;
  const model = decodeModel(verbed.length > 0 ? rest.slice(0, colon) : rest);
  if (model === undefined) return { kind: "bad-model" };
  return choose(
    method,
    chosen.map((entry) => entry.route),
    prefix.endsWith("/tunedModels/") ? `tunedModels/${model}` : model.replace(/^models\//, ""),
  );
}

function matchId(method: string, path: string, routes: readonly IdRoute[]): RouteMatch | undefined {
  for (const entry of routes) {
    if (!path.startsWith(entry.prefix) || !path.endsWith(entry.suffix)) continue;
    const id = path.slice(entry.prefix.length, path.length - entry.suffix.length);
    if (id === "" || id.includes("/")) continue;
    const same = routes
      .filter((other) => other.prefix === entry.prefix && other.suffix === entry.suffix)
      .map(({ route }) => route);
    // What a POST finds where none belongs is no id but an operation that is not here, such as `compact` (R6).
    if (method === "POST" && !same.some(({ methods }) => methods.includes(method))) continue;
    return choose(method, same, id);
  }
  return undefined;
}

function choose(method: string, candidates: readonly Route[], parameter: string | undefined): RouteMatch {
  const route = candidates.find((candidate) => candidate.methods.some((allowed) => allowed === method));
  if (route) return { kind: "found", route, ...(parameter === undefined ? {} : { parameter }) };
  const [first] = candidates;
  if (!first) return { kind: "unknown" };
  return { kind: "wrong-method", allow: candidates.flatMap((candidate) => candidate.methods), route: first };
}

const declarations: readonly (keyof Route)[] = ["methods", "path", "family", "auth", "role", "body", "rate", "action"];

function checkDeclaration(route: Route): void {
  for (const name of declarations) {
    if (!route[name]) throw new Error(`The route ${route.path} does not declare '${name}'.`);
  }
  if (route.methods.length === 0) throw new Error(`The route ${route.path} declares no method.`);
  if (route.auth !== "access-key" && route.role !== "anyone") {
    throw new Error(`The route ${route.path} wants a role but no credential.`);
  }
}

function cut(path: string, placeholder: string): [string, string | undefined] {
  const at = path.indexOf(placeholder);
  return at === -1 ? [path, undefined] : [path.slice(0, at), path.slice(at + placeholder.length)];
}
