import type { Incident } from "./incidents.ts";

/** An incident as readers of the feed may see it. */
type FeedIncident = Pick<
  Incident,
  "id" | "title" | "body" | "severity" | "startedAt" | "resolvedAt" | "updatedAt" | "updates"
>;

export interface Feed {
  /** Where the console stands, without a slash at its end. */
  origin: string;
  /** Unix milliseconds. */
  generatedAt: number;
  incidents: readonly FeedIncident[];
}

/** The incidents as RSS 2.0. All texts are escaped: whatever an operator writes is text and nothing else. */
export function statusFeed({ origin, generatedAt, incidents }: Feed): string {
  const page = `${origin}/status`;
  const items = incidents.map((incident) =>
    element("item", [
      element("title", [text(`${incident.resolvedAt === null ? "" : "[resolved] "}${incident.title}`)]),
      element("link", [text(`${page}?incident=${encodeURIComponent(incident.id)}`)]),
      `<guid isPermaLink="false">${text(incident.id)}</guid>`,
      element("category", [text(incident.severity)]),
      element("pubDate", [text(dateOf(incident.startedAt))]),
      element("description", [text(descriptionOf(incident))]),
    ]),
  );
  const channel = element("channel", [
    element("title", [text("Interlingua status")]),
    element("link", [text(page)]),
    `<atom:link href="${text(`${origin}/status.rss`)}" rel="self" type="application/rss+xml"/>`,
    element("description", [text("What operators tell of disturbances and maintenance.")]),
    element("lastBuildDate", [text(dateOf(generatedAt))]),
    element("ttl", ["5"]),
    ...items,
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">${channel}</rss>\n`;
}

function descriptionOf({ body, updates, startedAt, resolvedAt }: FeedIncident): string {
  const told = updates.map((update) => `${dateOf(update.at)}: ${update.body}`);
  const span = `Began ${dateOf(startedAt)}${resolvedAt === null ? "" : `, resolved ${dateOf(resolvedAt)}`}.`;
  return [span, ...told, body].filter((part) => part !== "").join("\n\n");
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

function element(name: string, children: readonly string[]): string {
  return `<${name}>${children.join("")}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escaped; without the characters that XML 1.0 cannot hold at all. */
function text(value: string): string {
  return (
    value
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
  );
}
