import { protocols } from "../../shared/gateway-call.ts";
import type { ChannelModel } from "./channel-api.ts";

/** Models as they are typed: one a line, `name`, `name = provider's name`, with `[protocol, …]` behind. */
export function writeModelLines(models: readonly ChannelModel[]): string {
  return models.map(writeLine).join("\n");
}

function writeLine({ id, upstream_id, protocols: narrowed }: ChannelModel): string {
  const upstream = upstream_id === undefined ? "" : ` = ${upstream_id}`;
  return `${id}${upstream}${narrowed ? ` [${narrowed.join(", ")}]` : ""}`;
}

/** The models of the text, or the number of the first line that is none. Empty lines are left out. */
export function readModelLines(text: string): { models: ChannelModel[] } | { line: number } {
  const models: ChannelModel[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const match = /^\s*([^\s=[\]]+)\s*(?:=\s*([^\s[\]]+)\s*)?(?:\[([^\]]*)\]\s*)?$/.exec(line);
    const [, id, upstream, listed] = match ?? [];
    const narrowed = listed?.split(",").map((name) => protocols.find((each) => each === name.trim()));
    const known = narrowed?.filter((name) => name !== undefined);
    if (id === undefined || known?.length !== narrowed?.length) return { line: index + 1 };
    models.push({
      id,
      ...(upstream === undefined ? {} : { upstream_id: upstream }),
      ...(known === undefined || known.length === 0 ? {} : { protocols: known }),
    });
  }
  return { models };
}

/** Headers as they are typed: one a line, `Name: value`. */
export function readHeaderLines(text: string): { headers: Record<string, string> } | { line: number } {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const match = /^\s*([^\s:]+)\s*:\s*(.+?)\s*$/.exec(line);
    const [, name, value] = match ?? [];
    if (name === undefined || value === undefined) return { line: index + 1 };
    headers[name] = value;
  }
  return { headers };
}
