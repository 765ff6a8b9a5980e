import type { LogFields } from "./log.ts";

/** A thrown value as log fields: name, code, message and stack only, since error objects of clients hold requests (S1). */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_name: typeof error, error_message: String(error) };
  const fields: LogFields = { error_name: error.name, error_message: error.message };
  if ("code" in error && typeof error.code === "string") fields.error_code = error.code;
  if (error.stack) fields.error_stack = error.stack;
  return fields;
}
