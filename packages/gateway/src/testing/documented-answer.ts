import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import type { ManagementAnswer, ManagementRoute } from "../management/routes.ts";

/**
 * Throws where the answer of a documented route is not what its document says: a field of another shape, one that is
 * missing, one too many, or another status of success.
 */
export function assertDocumented(route: ManagementRoute, { status = 200, body }: ManagementAnswer): void {
  const { document } = route;
  if (!document || body instanceof Readable) return;
  const refuse = (why: string): never => {
    throw new Error(`The answer of ${route.method} ${route.path} is not the documented one: ${why}`);
  };
  if (status !== document.status) refuse(`status ${status} instead of ${document.status}`);
  if (!document.answer) {
    if (body !== undefined) refuse("there is a body");
    return;
  }
  const told: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const read = document.answer.safeParse(told);
  if (!read.success) refuse(read.error.message);
  // What the schema does not name is gone from what it read.
  else if (!isDeepStrictEqual(read.data, told)) refuse(`${JSON.stringify(told)} has fields that are not documented`);
}
