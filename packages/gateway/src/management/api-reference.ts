import { z } from "zod";
import type { ApiDocument } from "./api-document.ts";
import { styles } from "./api-reference-styles.ts";

/** What of JSON Schema our document uses; the rest is not shown. */
interface Shape {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown | undefined;
  format?: string | undefined;
  default?: unknown;
  anyOf?: Shape[] | undefined;
  oneOf?: Shape[] | undefined;
  allOf?: Shape[] | undefined;
  items?: Shape | undefined;
  properties?: Record<string, Shape> | undefined;
  required?: string[] | undefined;
  additionalProperties?: Shape | boolean | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
}

const shape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    format: z.string().optional(),
    default: z.unknown().optional(),
    anyOf: z.array(shape).optional(),
    oneOf: z.array(shape).optional(),
    allOf: z.array(shape).optional(),
    items: shape.optional(),
    properties: z.record(z.string(), shape).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([shape, z.boolean()]).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
  }),
);

const content = z.record(z.string(), z.object({ schema: shape.optional() })).optional();

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  "x-access": z.object({ role: z.string(), scope: z.string() }),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: shape.optional(),
      }),
    )
    .optional(),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().optional(), content })),
});

const documentSchema = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), shape) }),
});

type Operation = z.output<typeof operation>;

/** The document as a page to be read: no script, and style elements under the nonce alone. */
export function apiReference(document: ApiDocument, nonce: string): string {
  const { info, paths, components } = documentSchema.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]) => ({ path, method: method.toUpperCase(), told })),
  );
  const chapters = [...Map.groupBy(operations, ({ told }) => told.tags[0] ?? "Other")].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const list = chapters.map(
    ([tag, entries]) =>
      `<h2>${text(tag)}</h2><ul>${entries
        .map(({ told }) => `<li><a href="#${text(told.operationId)}">${text(told.summary)}</a></li>`)
        .join("")}</ul>`,
  );
  const parts = chapters.map(
    ([tag, entries]) =>
      `<section><h2 id="tag-${slug(tag)}">${text(tag)}</h2>${entries
        .map(({ path, method, told }) => operationPart(method, path, told))
        .join("")}</section>`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, one]) =>
      `<article id="schema-${text(name)}"><h3>${text(name)}</h3>${describe(one)}${fields(one)}</article>`,
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${text(info.title)}</title><link rel="icon" href="/icon.svg" type="image/svg+xml">`,
    `<style nonce="${text(nonce)}">${styles}</style></head><body>`,
    '<a class="skip" href="#content">Skip to the content</a>',
    `<nav aria-label="Operations"><p class="brand"><a href="/">Interlingua</a></p>${list.join("")}`,
    '<h2>Schemas</h2><ul><li><a href="#schemas">All schemas</a></li></ul></nav>',
    `<main id="content"><h1>${text(info.title)}</h1>${prose(info.description)}`,
    '<p><a href="/api/openapi.json">The same as an OpenAPI 3.1 document</a></p>',
    ...parts,
    `<section><h2 id="schemas">Schemas</h2>${schemas.join("")}</section>`,
    "</main></body></html>",
  ].join("\n");
}

function operationPart(method: string, path: string, told: Operation): string {
  const parameters = (told.parameters ?? []).map((parameter) =>
    row(
      parameter.name,
      parameter.required ?? false,
      parameter.schema,
      `${parameter.in}. ${parameter.description ?? parameter.schema?.description ?? ""}`,
    ),
  );
  const answers = Object.entries(told.responses);
  const good = answers.filter(([status]) => status.startsWith("2"));
  const bad = answers.filter(([status]) => !status.startsWith("2"));
  const body = Object.values(told.requestBody?.content ?? {})[0]?.schema;
  return [
    `<article id="${text(told.operationId)}"><h3>${text(told.summary)}</h3>`,
    `<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${text(path)}</code></p>`,
    told.description === undefined ? "" : prose(told.description),
    `<p class="access">${text(accessOf(told))}</p>`,
    parameters.length > 0 ? `<h4>Parameters</h4>${table(parameters)}` : "",
    body === undefined ? "" : `<h4>Body</h4>${fields(body)}`,
    ...good.map(([status, { content: told, description }]) => {
      const [type, answer] = Object.entries(told ?? {})[0] ?? [];
      const what = type === undefined ? "without a body" : type;
      return `<h4>${text(status)} <small>${text(what)}</small></h4>${note(description)}${answer?.schema ? fields(answer.schema) : ""}`;
    }),
    bad.length > 0
      ? `<details><summary>Refusals</summary><dl>${bad
          .map(([status, { description }]) => `<dt>${text(status)}</dt><dd>${inline(description ?? "")}</dd>`)
          .join("")}</dl></details>`
      : "",
    "</article>",
  ].join("\n");
}

function accessOf({ "x-access": { role, scope }, security = [] }: Operation): string {
  if (security.length === 0) return "Open to everybody.";
  const who =
    role === "user"
      ? "Everybody who has signed in"
      : role === "operator"
        ? "Operators"
        : `${role.charAt(0).toUpperCase()}${role.slice(1)}s${scope === "account" ? " of the account" : ""} and those above`;
  const tokens = security.some((way) => "apiToken" in way) ? "also by API token" : "by session alone, not by API token";
  return `${who}; ${tokens}.`;
}

/** The fields of an object as a table; of anything else what it is. */
function fields(one: Shape): string {
  const object = one.type === "array" && one.items?.properties ? one.items : one;
  if (!object.properties) return `<p>${typeOf(one)}</p>`;
  const rows = Object.entries(object.properties).map(([name, field]) =>
    row(name, object.required?.includes(name) ?? false, field, field.description ?? ""),
  );
  const open =
    typeof object.additionalProperties === "object" ? `<p>Any name: ${typeOf(object.additionalProperties)}</p>` : "";
  return (rows.length > 0 ? table(rows) : "<p>Nothing.</p>") + open;
}

function row(name: string, required: boolean, one: Shape | undefined, description: string): string {
  const nested = one && inner(one);
  return [
    `<tr><th scope="row"><code>${text(name)}</code>${required ? "" : " <small>optional</small>"}</th>`,
    `<td>${one ? typeOf(one) : ""}</td><td>${inline(description)}${one ? limits(one) : ""}`,
    nested ? `<details><summary>Fields</summary>${fields(nested)}</details>` : "",
    "</td></tr>",
  ].join("");
}

/** The object in a field that has no name of its own. */
function inner(one: Shape): Shape | undefined {
  if (one.properties) return one;
  if (one.items?.properties) return one.items;
  return [...(one.anyOf ?? []), ...(one.oneOf ?? [])].find((each) => each.properties);
}

function table(rows: readonly string[]): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="Fields"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** What a value is, in a few words. Already escaped. */
function typeOf(one: Shape): string {
  if (one.$ref !== undefined) {
    const name = one.$ref.split("/").at(-1) ?? "";
    return `<a href="#schema-${text(name)}">${text(name)}</a>`;
  }
  if (one.enum) return one.enum.map((value) => `<code>${text(JSON.stringify(value))}</code>`).join(" | ");
  if (one.const !== undefined) return `<code>${text(JSON.stringify(one.const))}</code>`;
  const several = one.anyOf ?? one.oneOf;
  if (several) return several.map(typeOf).join(" | ");
  if (one.allOf) return one.allOf.map(typeOf).join(" and ");
  if (one.type === "array") return `list of ${one.items ? typeOf(one.items) : "anything"}`;
  if (Array.isArray(one.type)) return text(one.type.join(" | "));
  return text(one.type ?? "anything");
}

function limits(one: Shape): string {
  const told = [
    one.minimum === undefined || one.minimum <= Number.MIN_SAFE_INTEGER ? "" : `at least ${one.minimum}`,
    one.maximum === undefined || one.maximum >= Number.MAX_SAFE_INTEGER ? "" : `at most ${one.maximum}`,
    one.maxLength === undefined ? "" : `at most ${one.maxLength} characters`,
    one.default === undefined ? "" : `default ${JSON.stringify(one.default)}`,
  ].filter((part) => part !== "");
  return told.length === 0 ? "" : ` <small>${text(told.join(", "))}</small>`;
}

function describe(one: Shape): string {
  return one.description === undefined ? "" : prose(one.description);
}

function note(description: string | undefined): string {
  return description === undefined || description === "Good." ? "" : `<p>${inline(description)}</p>`;
}

/** Paragraphs, and lists whose lines begin with a dash. */
function prose(source: string): string {
  return source
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n").filter((line) => line !== "");
      return lines.every((line) => line.startsWith("- "))
        ? `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join("")}</ul>`
        : `<p>${inline(lines.join(" "))}</p>`;
    })
    .join("");
}

function inline(source: string): string {
  return text(source).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function slug(source: string): string {
  return source.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML shows it, in an element or in a quoted attribute. */
function text(source: string): string {
  return source.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
