import { type AuditFilter, eachAudit } from "../../audit/list-audit.ts";
import { csvCell } from "../../calls/export-calls.ts";
import type { Database } from "../../storage/database.ts";
import type { AuditEventTable } from "../../storage/users-schema.ts";

const columns: readonly (keyof AuditEventTable)[] = [
  "sequence",
  "id",
  "at",
  "actor_kind",
  "actor_id",
  "actor_name",
  "address",
  "action",
  "target_kind",
  "target_id",
  "account_id",
  "detail",
  "previous_hash",
  "hash",
];

/**
 * Entries of the audit log as the text of a file, page by page, the newest first. The last line says so where there are more
 * than `most`.
 */
export async function* exportAudit(
  database: Pick<Database, "read">,
  filter: AuditFilter,
  {
    format,
    most,
    shown,
  }: { format: "csv" | "ndjson"; most: number; shown: (event: AuditEventTable) => AuditEventTable },
): AsyncGenerator<string, void, undefined> {
  if (format === "csv") yield `${columns.join(",")}\r\n`;
  let given = 0;
  for await (const page of eachAudit(database, filter, most + 1)) {
    const lines = page.slice(0, most - given).map((event) => lineOf(shown(event), format));
    if (lines.length > 0) yield lines.join("");
    given += lines.length;
    if (lines.length === page.length) continue;
    yield format === "csv"
      ? `# cut: more than ${given} entries match; narrow the filter or the time range\r\n`
      : `${JSON.stringify({ cut: true, entries: given })}\n`;
  }
}

function lineOf(event: AuditEventTable, format: "csv" | "ndjson"): string {
  if (format === "ndjson") return `${JSON.stringify({ ...event, detail: jsonOf(event.detail) })}\n`;
  const cells = columns.map((name) => csvCell(name === "at" ? new Date(event.at).toISOString() : event[name]));
  return `${cells.join(",")}\r\n`;
}

/** What the detail says; its text where it was cut. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
