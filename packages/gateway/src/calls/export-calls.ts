import type { Database } from "../storage/database.ts";
import { callJson } from "./call-json.ts";
import { type CallNames, namesOf } from "./call-names.ts";
import type { CallRecord } from "./call-record.ts";
import { type ListCallsOptions, listCalls } from "./list-calls.ts";

type ExportFormat = "csv" | "ndjson";

export interface ExportOptions {
  filter: ListCallsOptions;
  format: ExportFormat;
  /** Most calls; the last line says so where there are more. */
  most: number;
  /** The names of the accounts are told, too. */
  withAccounts?: boolean;
}

/**
 * A list of calls as the text of a file, page by page: each piece is a page, and between two of them other work gets its
 * turn. Attempts and price lines are not part of it.
 */
export async function* exportCalls(
  database: Pick<Database, "read">,
  { filter, format, most, withAccounts = false }: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  if (format === "csv")
    yield `${columnsOf(withAccounts)
      .map(({ name }) => name)
      .join(",")}\r\n`;
  let given = 0;
  let cursor = filter.cursor;
  for (;;) {
    const limit = Math.min(200, most - given);
    const page = await listCalls(database, { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) });
    const names = await namesOf(database, page.calls);
    const lines = page.calls.map((call) => lineOf(call, names, format, withAccounts));
    if (lines.length > 0) yield lines.join("");
    given += lines.length;
    if (page.next === null) return;
    if (given >= most) {
      yield cutLine(format, given);
      return;
    }
    cursor = page.next;
    // A search among rare calls gives pages without a line, behind which nobody would wait.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function lineOf(call: CallRecord, names: CallNames, format: ExportFormat, withAccounts: boolean): string {
  if (format === "csv") {
    return `${columnsOf(withAccounts)
      .map(({ value }) => csvCell(value(call, names)))
      .join(",")}\r\n`;
  }
  const { attempts: _, price_lines: __, ...told } = callJson(call);
  const account = withAccounts ? { account_name: names.accounts.get(call.accountId) ?? null } : {};
  return `${JSON.stringify({ ...told, access_key_name: names.keys.get(call.accessKeyId) ?? null, ...account })}\n`;
}

function cutLine(format: ExportFormat, given: number): string {
  return format === "csv"
    ? `# cut: more than ${given} calls match; narrow the filter or the time range\r\n`
    : `${JSON.stringify({ cut: true, calls: given })}\n`;
}

interface Column {
  name: string;
  value(call: CallRecord, names: CallNames): string | number | boolean | null | undefined;
}

const columns: readonly (Column & { operators?: true })[] = [
  { name: "id", value: (call) => call.id },
  { name: "started_at", value: (call) => new Date(call.startedAt).toISOString() },
  { name: "account_id", value: (call) => call.accountId, operators: true },
  { name: "account_name", value: (call, names) => names.accounts.get(call.accountId), operators: true },
  { name: "access_key_id", value: (call) => call.accessKeyId },
  { name: "access_key_name", value: (call, names) => names.keys.get(call.accessKeyId) },
  { name: "client_protocol", value: (call) => call.clientProtocol },
  { name: "upstream_protocol", value: (call) => call.upstreamProtocol },
  { name: "lane", value: (call) => call.lane },
  { name: "channel", value: (call) => call.channel },
  { name: "model", value: (call) => call.model },
  { name: "upstream_model", value: (call) => call.upstreamModel },
  { name: "stream", value: (call) => call.stream },
  { name: "status", value: (call) => call.status },
  { name: "outcome", value: (call) => call.outcome },
  { name: "error_kind", value: (call) => call.errorKind },
  { name: "abort_reason", value: (call) => call.abortReason },
  { name: "input_uncached", value: (call) => call.usage?.input.uncached },
  { name: "input_cache_read", value: (call) => call.usage?.input.cacheRead },
  { name: "input_cache_write", value: (call) => call.usage?.input.cacheWrite },
  { name: "output_total", value: (call) => call.usage?.output.total },
  { name: "output_reasoning", value: (call) => call.usage?.output.reasoning },
  { name: "usage_estimated", value: (call) => call.usage?.estimated ?? false },
  { name: "usage_disputed", value: (call) => call.usageDisputed },
  { name: "charge_nano_usd", value: (call) => String(call.charge) },
  { name: "overrun_nano_usd", value: (call) => String(call.overrun) },
  { name: "price_version", value: (call) => call.priceVersion },
  { name: "first_token_ms", value: (call) => call.timings.firstToken },
  { name: "duration_ms", value: (call) => call.timings.end },
  { name: "notices", value: (call) => call.notices.length },
];

function columnsOf(withAccounts: boolean): readonly Column[] {
  return withAccounts ? columns : columns.filter(({ operators }) => !operators);
}

/**
 * A value as a cell (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, by which it
 * stays a text (S6).
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
