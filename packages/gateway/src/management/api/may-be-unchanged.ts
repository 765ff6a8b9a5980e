import type { ManagementCall } from "../routes.ts";

/**
 * Says that a change which found everything as it was asked for wrote nothing, and so no entry either: without an entry
 * asked for, the server would take the route for one that changes in silence.
 */
export function mayBeUnchanged(call: Pick<ManagementCall, "audit">): void {
  call.audit({ target: null, accountId: null });
}
