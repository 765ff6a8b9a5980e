import { auditStatement } from "../../packages/gateway/src/audit/audit-log.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import { createIncidents } from "../../packages/gateway/src/status/incidents.ts";
import type { Database } from "../../packages/gateway/src/storage/database.ts";

const hourMs = 3_600_000;

/** What was told of disturbances: of the one that the calls of the past show, and of one that goes on. */
export async function makeIncidents(database: Database, platform: Platform): Promise<void> {
  const incidents = createIncidents(database, platform);
  const now = platform.now();
  const actor = { kind: "command", id: null, name: "command line", address: null } as const;
  const audit = (id: string) =>
    auditStatement(database, platform, {
      actor,
      action: "incident.created",
      target: { kind: "incident", id },
      accountId: null,
    });
  const over = {
    title: "Errors of GPT models in one region",
    body: "About half of the calls that one region answered failed. Calls were led to the other region.",
    severity: "major",
    channels: ["azure-east"],
    models: ["gpt-5.2", "gpt-5-mini"],
    startedAt: now - (9 * 24 + 4) * hourMs,
    resolvedAt: now - 9 * 24 * hourMs,
  } as const;
  const open = {
    title: "Mistral Large is under observation",
    body: "The provider has announced work on its network. Answers may come later than usual.",
    severity: "maintenance",
    channels: ["mistral"],
    models: ["mistral-large-3"],
    startedAt: now - 5 * hourMs,
    resolvedAt: null,
  } as const;
  await incidents.create(over, audit);
  const { id } = await incidents.create(open, audit);
  await incidents.addUpdate(
    id,
    { body: "The provider says that half of the work is done.", resolves: false },
    audit(id),
  );
}
