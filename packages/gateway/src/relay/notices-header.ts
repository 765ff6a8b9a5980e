import type { Notice } from "@interlingua/protocols";

/** Proxies and clients commonly stop at 4 to 8 KiB for all headers; this one takes its share. */
const maximumLength = 2048;

/**
 * The notices as one header value: a JSON list in plain ASCII. What does not fit is counted in a last entry, never cut in
 * the middle and never left out silently. Undefined where there is nothing to tell.
 */
export function noticesHeader(notices: readonly Notice[]): string | undefined {
  if (notices.length === 0) return undefined;
  const entries: string[] = [];
  let length = 2;
  for (const [index, notice] of notices.entries()) {
    const entry = ascii(JSON.stringify({ field: notice.field, verdict: notice.verdict, detail: notice.detail }));
    const rest = JSON.stringify({ field: "", verdict: "dropped", detail: `and ${notices.length - index} more` });
    const reserve = index === notices.length - 1 ? 0 : rest.length + 1;
    if (length + entry.length + 1 + reserve > maximumLength) {
      entries.push(rest);
      break;
    }
    entries.push(entry);
    length += entry.length + 1;
  }
  return `[${entries.join(",")}]`;
}

function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
