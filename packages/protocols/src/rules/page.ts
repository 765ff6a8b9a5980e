import type { Path } from "../testing/letters.ts";
import type { Row, RuleGroup } from "./rule.ts";
import { type Cell, cellsOf, crossings, isNone } from "./walk.ts";

const begin = "<!-- Written by `npm run docs`, from here -->";
const end = "<!-- to here. -->";

/** The page with its tables written anew; what people wrote before and behind them stays. */
export function withTables(page: string, groups: readonly RuleGroup[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page needs the lines '${begin}' and '${end}'.`);
  const tables = groups.map(({ title, rows }) => `## ${title}\n\n${table(rows)}`).join("\n");
  return `${page.slice(0, from)}${begin}\n\n${tables}\n${page.slice(to)}`;
}

function table(rows: readonly Row[]): string {
  const notes: string[] = [];
  const heads = ["rule", "", ...crossings.map((path) => path.replace("->", "→"))];
  const number = ({ id }: Row): number => Number(id.slice(1));
  const sorted = [...rows].sort((one, other) => number(one) - number(other));
  const lines = sorted.map((row) => [row.id, row.says, ...cellsOf(row).map((cell) => word(cell, notes))]);
  const body = [heads, heads.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const list = notes.map((note, index) => `${index + 1}. ${note[0]?.toUpperCase()}${note.slice(1)}.`).join("\n");
  return list === "" ? `${body}\n` : `${body}\n\n${list}\n`;
}

/** A cell's verdict, or a dash with the number of its reason below the table. */
function word({ outcome }: Cell, notes: string[]): string {
  if (!isNone(outcome)) return outcome.verdict;
  if (!notes.includes(outcome.reason)) notes.push(outcome.reason);
  return `– (${notes.indexOf(outcome.reason) + 1})`;
}

/** For each pair how many cells were judged how, in one line. */
export function counts(groups: readonly RuleGroup[]): string {
  const cells = groups.flatMap(({ rows }) => rows.flatMap(cellsOf));
  const line = (name: Path | "all", of: readonly Cell[]): string => {
    const by = new Map<string, number>();
    for (const { outcome } of of) by.set(outcome.verdict, (by.get(outcome.verdict) ?? 0) + 1);
    const words = ["kept", "emulated", "approximated", "dropped", "refused", "none"];
    return `${name.padEnd(4)} ${words.map((verdict) => `${verdict} ${by.get(verdict) ?? 0}`).join(", ")}`;
  };
  const pairs = crossings.map((path) =>
    line(
      path,
      cells.filter((cell) => cell.path === path),
    ),
  );
  return ["Cells of the rules of conversion:", ...pairs, line("all", cells)].join("\n");
}
