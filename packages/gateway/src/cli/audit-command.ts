import { readFile } from "node:fs/promises";
import { auditBooks, type CheckedBooks } from "../accounts/books-audit.ts";
import { openSnapshot } from "../storage/open-snapshot.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { runOnMoney } from "./open-money.ts";

export type AuditOptions = CommonOptions & {
  json?: boolean;
  /** A file with the id of a call in each line. */
  acknowledged?: string;
  since?: number;
};

/** Something does not hold. What it is has been told. */
export class AuditFailed extends Error {
  constructor(count: number) {
    super(`${count} ${count === 1 ? "check has" : "checks have"} found something that must not be`);
    this.name = "AuditFailed";
  }
}

/** A file that cannot be read. The message is one line. */
export class AuditFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AuditFileError";
  }
}

/** Checks the books beside a running gateway, prints what it found, and throws an AuditFailed where that is something. */
export async function auditCommand(options: AuditOptions, context: CommandContext): Promise<void> {
  const { json, since } = options;
  const acknowledged = options.acknowledged === undefined ? undefined : await readIds(options.acknowledged);
  // Opening brings the tables up to date.
  const config = await runOnMoney(options, context, async (open) => open.config);
  const snapshot = await openSnapshot(config.database);
  const books = await auditBooks(snapshot, { retentionMs: config.calls.retentionMs, since, acknowledged }).finally(() =>
    snapshot[Symbol.asyncDispose](),
  );
  context.out(json ? `${JSON.stringify(books, null, 2)}\n` : bookText(books));
  if (!books.clean) throw new AuditFailed(books.checks.filter(({ findings }) => findings.length > 0).length);
}

async function readIds(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new AuditFileError(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function bookText({ counted, checks, notices }: CheckedBooks): string {
  const looked = Object.entries(counted).map(([what, count]) => `${count} ${what}`);
  const lines = [`Looked at ${looked.join(", ")}.`, ""];
  for (const { invariant, title, findings, more } of checks) {
    lines.push(`${findings.length === 0 ? "ok  " : "FAIL"}  ${invariant.padEnd(3)}  ${title}`);
    for (const finding of findings) {
      const told = Object.entries(finding).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
      lines.push(`            ${told.join(" ")}`);
    }
    if (more) lines.push("            … and more");
  }
  for (const notice of notices) lines.push("", `Note: ${notice}.`);
  return `${lines.join("\n")}\n`;
}
