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
  /** Whether the tasks had it ask a tool server of the user's. */
  asksServer: boolean;
  /** Its sessions, each by the families that served its turns. */
  sessions: readonly { families: readonly ProtocolName[]; passed: boolean }[];
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

/** The tasks as a table of Markdown; a link leads from docs/ to each agent's page. */
export function agentTable(rows: readonly AgentRow[], families: readonly ProtocolName[] = protocolNames): string {
  const heads = ["program", "speaks", "version", "tool server", ...families.map((family) => `on ${titles[family]}`)];
  const lines = rows.map(({ name, page, speaks, version, passed, asksServer }) => [
    `[${name}](clients/${page}.md)`,
    titles[speaks],
    version,
    asksServer ? "asked" : "–",
    ...families.map((family) => (passed.includes(family) ? "passed" : "failed")),
  ]);
  return table(heads, lines);
}

/** The sessions as a table of Markdown: on which family each began, and over which others it went. */
export function sessionTable(rows: readonly AgentRow[], families: readonly ProtocolName[] = protocolNames): string {
  const heads = ["program", ...families.map((family) => `begun on ${titles[family]}`)];
  const lines = rows
    .filter(({ sessions }) => sessions.length > 0)
    .map(({ name, page, sessions }) => [
      `[${name}](clients/${page}.md)`,
      ...families.map((family) => {
        const begun = sessions.find((session) => session.families[0] === family);
        if (!begun) return "–";
        const others = protocolNames.filter((other) => other !== family && begun.families.includes(other));
        return `${begun.passed ? "passed" : "failed"}: ${others.map((other) => titles[other]).join(", ")}`;
      }),
    ]);
  return table(heads, lines);
}

function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
