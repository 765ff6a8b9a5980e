import type { z } from "zod";
import { ManagementError } from "./failure.ts";

/** The body as the schema reads it. Throws 400 with the field that is wrong; a field that the schema does not name is one (A8). */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const field = issue.keys[0];
    throw new ManagementError(400, "unknown_field", `The field '${field}' is not known here.`, { field });
  }
  const field = issue && issue.path.length > 0 ? issue.path.join(".") : undefined;
  const message =
    field === undefined
      ? "The body is not what is expected here."
      : `The field '${field}' is not right: ${issue?.message}.`;
  throw new ManagementError(400, "invalid_request", message, { field });
}
