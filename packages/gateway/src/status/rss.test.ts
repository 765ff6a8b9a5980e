import { expect, it } from "vitest";
import { statusFeed } from "./rss.ts";

const at = Date.UTC(2026, 0, 10, 12);
const incident = {
  id: "inc_1",
  title: "Slow",
  body: "We look into it.",
  severity: "minor" as const,
  startedAt: at,
  resolvedAt: null as number | null,
  updatedAt: at,
  updates: [],
};
const feed = (more: Partial<typeof incident>) =>
  statusFeed({ origin: "https://gateway.example", generatedAt: at, incidents: [{ ...incident, ...more }] });

it("is RSS 2.0 with what readers need to know an item again", () => {
  const text = feed({});
  expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<rss version="2\.0"/);
  expect(text).toContain("<link>https://gateway.example/status?incident=inc_1</link>");
  expect(text).toContain('<guid isPermaLink="false">inc_1</guid>');
  expect(text).toContain("<pubDate>Sat, 10 Jan 2026 12:00:00 GMT</pubDate>");
});

it("S6 whatever an operator writes is text", () => {
  const text = feed({ title: '</title><script>alert("1")</script>', body: "a & b ]]> 'c'" });
  expect(text).not.toContain("<script>");
  expect(text).toContain("&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  expect(text).toContain("a &amp; b ]]&gt; &apos;c&apos;");
});

it("holds no character that XML cannot hold", () => {
  const text = feed({ title: "a\u0000b\u000bc\ud800d\uffffe", body: "line\nline\ttab" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uffff]/);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain("line\nline\ttab");
});

it("says what is over", () => {
  expect(feed({ resolvedAt: at + 1000 })).toContain("<title>[resolved] Slow</title>");
  expect(feed({})).toContain("<title>Slow</title>");
});
