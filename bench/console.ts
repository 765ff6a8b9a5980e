import { parseArgs } from "node:util";
import { startScene } from "../tests/console/support/scene.ts";
import { cookieHeader, type Session } from "../tests/console/support/session.ts";
import { variants } from "./console-variants.ts";
import { accountIds } from "./installation/accounts.ts";

/**
 * How long the requests of the console take over 1,000,000 calls and 400,000 keys in SQLite, by HTTP and with a session:
 * `npm run bench:console -- [--runs 20] [--only usage] [--calls 1000000] [--keys 400000]`. Every reading operation of the
 * API's document is asked, with the parameters of `console-variants.ts`. What is slower than 200 ms at p95 is marked.
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    calls: { type: "string", default: "1000000" },
    keys: { type: "string", default: "400000" },
  },
});
const runs = Number(values.runs);
const limitMs = 200;

interface Figure {
  name: string;
  first: number;
  p50: number;
  p95: number;
  max: number;
  kib: number;
  note: string;
}

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; in: string; required?: boolean }[] } }>;
}

const scene = await startScene({ calls: Number(values.calls), keys: Number(values.keys) });
const session: Session = scene.sessions.operator;

async function ask(path: string): Promise<{ ms: number; status: number; text: string }> {
  for (;;) {
    const start = performance.now();
    const answer = await fetch(scene.address + path, { headers: { cookie: cookieHeader(session) } });
    const text = await answer.text();
    const ms = performance.now() - start;
    if (answer.status !== 429) return { ms, status: answer.status, text };
    // A user has so many requests a minute.
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get("retry-after") ?? 1) * 1000));
  }
}

async function measure(name: string, path: string): Promise<Figure> {
  const cold = await ask(path);
  const taken: number[] = [];
  for (let run = 0; run < runs; run += 1) taken.push((await ask(path)).ms);
  taken.sort((a, b) => a - b);
  const at = (part: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * part))] ?? Number.NaN;
  const note = cold.status === 200 ? "" : `${cold.status} ${cold.text.slice(0, 120)}`;
  return { name, first: cold.ms, p50: at(0.5), p95: at(0.95), max: at(1), kib: cold.text.length / 1024, note };
}

/** The ids that stand in addresses, taken from the lists that show them. */
async function placeholders(): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>([["account", accountIds.large]]);
  const lists: Record<string, string> = {
    call: `/api/v1/accounts/${accountIds.large}/calls?limit=1`,
    key: `/api/v1/accounts/${accountIds.large}/keys?limit=1`,
    channel: "/api/v1/channels",
    user: "/api/v1/users?limit=1",
  };
  for (const [name, path] of Object.entries(lists)) {
    const { status, text } = await ask(path);
    if (status !== 200) continue;
    // Every list of the API has this shape.
    const { items = [] } = JSON.parse(text) as { items?: { id?: string; name?: string }[] };
    const id = items[0]?.id ?? items[0]?.name;
    if (id !== undefined) known.set(name, id);
  }
  return known;
}

function fill(path: string, known: ReadonlyMap<string, string>): string | undefined {
  let missing = false;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = known.get(name);
    if (value === undefined) missing = true;
    return encodeURIComponent(value ?? "");
  });
  return missing ? undefined : filled;
}

try {
  const document = (await (await fetch(`${scene.address}/api/openapi.json`)).json()) as Document;
  const known = await placeholders();
  const figures: Figure[] = [];
  const left: string[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    // Files to keep are written as fast as they are read.
    if (!get || path.endsWith("/export") || !path.includes(values.only)) continue;
    const filled = fill(path, known);
    if (filled === undefined) {
      left.push(path);
      continue;
    }
    for (const query of variants(path)) {
      const figure = await measure(`${path.replace("/api/v1", "")}${query}`, filled + query);
      figures.push(figure);
      process.stderr.write(`${figure.p95.toFixed(0).padStart(6)} ms  ${figure.name}\n`);
    }
  }
  figures.sort((a, b) => b.p95 - a.p95);
  console.log("| GET /api/v1 | first | p50 | p95 | max ms | KiB | |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |");
  for (const { name, first, p50, p95, max, kib, note } of figures) {
    const mark = p95 > limitMs ? "**slow**" : "";
    const numbers = [first, p50, p95, max, kib].map((value) => value.toFixed(1)).join(" | ");
    console.log(`| ${name} | ${numbers} | ${mark} ${note.replaceAll("|", "/")} |`);
  }
  console.log(
    `\n${figures.length} requests, ${runs} runs each; ${figures.filter(({ p95 }) => p95 > limitMs).length} slower than ${limitMs} ms at p95.`,
  );
  if (left.length > 0) console.log(`Not asked, since there is no such thing here: ${left.join(", ")}`);
} finally {
  await scene.close();
}
process.exit();
