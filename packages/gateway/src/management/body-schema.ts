import { z } from "zod";
import { ManagementError } from "./failure.ts";

const nothing = z.strictObject({});

/**
 * The body as the schema reads it; without a schema it must be empty. Throws 400 with the field that is wrong; a field
 * that the schema does not name is one (A8).
 */
export function readBody<Schema extends z.ZodType>(schema: Schema | undefined, body: unknown): z.output<Schema> {
  // What the schema gave, or nothing where there is none.
  return parsed(schema ?? nothing, body, "body") as z.output<Schema>;
}

/** The parameters behind the `?` as the schema reads them, and none besides. Throws 400 with the one that is wrong. */
export function readQuery<Schema extends z.ZodObject>(
  schema: Schema | undefined,
  query: URLSearchParams,
): z.output<Schema> {
  const values: Record<string, string> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(values, name)) {
      throw new ManagementError(400, "invalid_request", `The parameter '${name}' is there twice.`, { field: name });
    }
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  // As above.
  return parsed(schema?.strict() ?? nothing, values, "query") as z.output<Schema>;
}

function parsed(schema: z.ZodType, value: unknown, place: "body" | "query"): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  // What nobody may set is told before what is missing (A8).
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const noun = place === "body" ? "field" : "parameter";
  if (issue?.code === "unrecognized_keys") {
    const field = [...issue.path, issue.keys[0]].join(".");
    throw new ManagementError(400, "unknown_field", `The ${noun} '${field}' is not known here.`, { field });
  }
  const field = issue && issue.path.length > 0 ? issue.path.join(".") : undefined;
  const message =
    field === undefined
      ? `The ${place} is not what is expected here.`
      : `The ${noun} '${field}' is not right: ${issue?.message}.`;
  throw new ManagementError(400, "invalid_request", message, { field });
}
