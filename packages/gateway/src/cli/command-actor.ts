import type { AuditActor } from "../audit/audit-log.ts";

/** Who does what a command does, in the audit log: whoever may read the configuration and its database. */
export const commandActor: AuditActor = { kind: "command", id: null, name: "command line", address: null };
