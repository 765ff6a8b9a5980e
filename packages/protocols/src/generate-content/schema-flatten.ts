import type { JsonObject, JsonSchema, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** One rewrite of one schema. */
export interface SchemaScope {
  root: JsonSchema;
  /** References that are being followed, from the root to the node at hand. */
  path: string[];
  nodes: number;
  maximumNodes: number;
  /** Keywords that could not be said. */
  lost: Set<string>;
}

/** A node with its references put in place, `allOf` merged, `const` as a list of one and `oneOf` as `anyOf`. */
export function flatten(value: JsonObject, scope: SchemaScope): JsonObject {
  let node = value;
  while (typeof node.$ref === "string" || Array.isArray(node.allOf)) {
    scope.nodes += 1;
    if (scope.nodes > scope.maximumNodes) {
      scope.lost.add("$ref");
      return { type: "object" };
    }
    const { $ref, allOf, ...rest } = node;
    node = rest;
    if (typeof $ref === "string") node = sibling(resolve($ref, scope), node);
    for (const part of Array.isArray(allOf) ? allOf : []) {
      if (isObject(part)) node = sibling(node, flatten(part, scope));
    }
  }
  const { const: only, oneOf, ...rest } = node;
  const flat: JsonObject = rest;
  if (only !== undefined && flat.enum === undefined) flat.enum = [only];
  if (Array.isArray(oneOf)) flat.anyOf = Array.isArray(flat.anyOf) ? [...flat.anyOf, ...oneOf] : oneOf;
  return flat;
}

/** A cycle ends in an object of any shape. */
function resolve(reference: string, scope: SchemaScope): JsonObject {
  if (scope.path.includes(reference)) {
    scope.lost.add("$ref");
    return { type: "object" };
  }
  const target = reference === "#" ? scope.root : pointer(reference, scope.root);
  if (!isObject(target)) {
    scope.lost.add("$ref");
    return {};
  }
  scope.path.push(reference);
  return target;
}

function pointer(reference: string, root: JsonSchema): JsonValue | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let node: JsonValue | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

/** Both nodes at once: properties and required names together; of anything else the second node's word counts. */
export function sibling(first: JsonObject, second: JsonObject): JsonObject {
  const merged: JsonObject = { ...first, ...second };
  if (isObject(first.properties) && isObject(second.properties)) {
    merged.properties = { ...first.properties, ...second.properties };
  }
  if (Array.isArray(first.required) && Array.isArray(second.required)) {
    merged.required = [...new Set([...first.required, ...second.required])];
  }
  return merged;
}
