import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";

/** What the last whole run found of one agent. */
export interface AgentRow {
  name: string;
  /** Its page of docs/clients. */
  page: string;
  speaks: ProtocolName;
  version: string;
  /** Families on which every task was done. */
  passed: readonly ProtocolName[];
}

const titles: Record<ProtocolName, string> = {
  "chat-completions": "Chat completions",
  responses: "Responses",
  messages: "Messages",
  "generate-content": "generateContent",
};

const file = join(import.meta.dirname, "agent-table.json");

/** The rows that docs/compatibility.md shows. */
export function readAgentRows(): readonly AgentRow[] {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Keeps what a whole run found. */
export function writeAgentRows(rows: readonly AgentRow[]): void {
  writeFileSync(file, `${JSON.stringify(rows, undefined, 2)}\n`);
}

/** The rows as a table of Markdown; a link leads from docs/ to each agent's page. */
export function agentTable(rows: readonly AgentRow[], families: readonly ProtocolName[] = protocolNames): string {
  const heads = ["program", "speaks", "version", ...families.map((family) => `on ${titles[family]}`)];
  const lines = rows.map(({ name, page, speaks, version, passed }) => [
    `[${name}](clients/${page}.md)`,
    titles[speaks],
    version,
    ...families.map((family) => (passed.includes(family) ? "passed" : "failed")),
  ]);
  return [heads, heads.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
