import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Notice, type ProtocolName, protocolNames } from "@interlingua/protocols";
import { startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { askRaw, type RawAnswer } from "../support/raw-client.ts";
import { answerFeatures } from "./answer-features.ts";
import { type Cell, CompatibilityPage } from "./page.ts";
import { requestFeatures } from "./request-features/index.ts";

/**
 * Walks every feature through all 16 pairs, streaming and not, against the running gateway and the strict simulated
 * provider, and writes down what became of it. The law behind it: what was asked for reaches the upstream, or a notice
 * says what became of it, or the call is refused with the field's name. Silence is the one failure.
 */

/** A current model of each family, so that nothing is refused for its age. */
const upstreamModels: Record<ProtocolName, string> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "gemini-3-pro-preview",
};

let sim: UpstreamSim;
let gateway: TestGateway;
const page = new CompatibilityPage();

beforeAll(async () => {
  let minted = 0;
  // Not strict: a request that the client's own protocol allows may still be one that a current model refuses.
  sim = await startUpstreamSim({ clock: () => 1_790_000_000_000, ids: () => `id${++minted}`, strict: false });
  gateway = await startTestGateway({
    channels: protocolNames.map((protocol) => ({
      name: protocol,
      protocols: [protocol],
      base_url: protocol === "chat-completions" || protocol === "responses" ? `${sim.url}/v1` : sim.url,
      api_key: "sim",
      models: [{ id: `model-${protocol}`, upstream_id: upstreamModels[protocol] }],
    })),
  });
});

afterAll(async () => {
  await gateway?.close();
  await sim?.close();
});

/** Runs `probe` on every pair, streaming and not, and keeps the cells. */
async function walk(
  kind: "request" | "answer",
  title: string,
  probe: (client: ProtocolName, upstream: ProtocolName, stream: boolean) => Promise<Cell>,
): Promise<void> {
  const silent: string[] = [];
  for (const client of protocolNames) {
    for (const upstream of protocolNames) {
      for (const stream of [false, true]) {
        const cell = await probe(client, upstream, stream);
        page.set(kind, title, client, upstream, stream, cell);
        if (cell.state === "lost")
          silent.push(`${client} -> ${upstream}${stream ? ", streaming" : ""}: ${cell.reason}`);
      }
    }
  }
  expect(silent).toEqual([]);
}

describe("what a caller asks for", () => {
  for (const feature of requestFeatures) {
    test(feature.title, () =>
      walk("request", feature.title, async (client, upstream, stream) => {
        const ask = feature.ask[client];
        if (!ask) return { state: "unsayable", reason: `${client} has no words for it` };
        sim.setScript({ steps: [{ kind: "text", text: '{"city":"Oslo"}' }] });
        const model = `model-${upstream}`;
        const earlier = feature.before && (await askRaw(gateway.caller, client, model, stream, feature.before.ask));
        const fields = { ...ask, ...(earlier && feature.before?.goesOn(earlier.answer)) };
        const before = sim.requests.length;
        const raw = await askRaw(gateway.caller, client, model, stream, fields);
        const sent = sim.requests.slice(before).at(-1)?.json;
        if (raw.status === 400 && !sent) return refusal(raw);
        if (raw.status !== 200) return { state: "lost", reason: `status ${raw.status}: ${raw.text.slice(0, 300)}` };
        if (!raw.answer) return { state: "lost", reason: `the stream failed: ${raw.text.slice(-300)}` };
        const seen = sent !== undefined && (feature.seen[upstream]?.(sent) ?? false);
        const notice = strongest(noticesOf(raw));
        // A notice beside something that did arrive is about a lesser field of it.
        if (seen && notice?.verdict === "dropped") return { state: "supported", reason: notice.detail };
        if (notice) return { state: notice.verdict, reason: notice.detail };
        if (seen) return { state: "supported", reason: "" };
        return { state: "lost", reason: `nothing said, and sent was ${JSON.stringify(sent).slice(0, 600)}` };
      }),
    );
  }
});

describe("what a model answers", () => {
  for (const feature of answerFeatures) {
    test(feature.title, () =>
      walk("answer", feature.title, async (client, upstream, stream) => {
        const cannot = feature.cannot?.[upstream];
        if (cannot) return { state: "unsayable", reason: cannot };
        sim.setScript(feature.script);
        const raw = await askRaw(gateway.caller, client, `model-${upstream}`, stream, feature.ask?.[client] ?? {});
        if (raw.status !== 200 || !raw.answer)
          return { state: "lost", reason: `status ${raw.status}: ${raw.text.slice(0, 300)}` };
        let seen = false;
        try {
          seen = feature.seen[client]?.(raw.answer) ?? false;
        } catch (cause) {
          return { state: "lost", reason: `${cause}: ${JSON.stringify(raw.answer).slice(0, 600)}` };
        }
        const limit = feature.limits?.[client];
        if (seen) return { state: "supported", reason: "" };
        if (limit && client !== upstream) return { state: limit.verdict, reason: limit.reason };
        return { state: "lost", reason: JSON.stringify(raw.answer).slice(0, 900) };
      }),
    );
  }
});

test("docs/compatibility.md says what these tests found", () => {
  const file = resolve(import.meta.dirname, "../../docs/compatibility.md");
  const found = page.render();
  if (process.env.UPDATE_DOCS === "1") writeFileSync(file, found);
  expect(readFileSync(file, "utf8"), "run `npm run docs` to write it anew").toBe(found);
});

function refusal(raw: RawAnswer): Cell {
  const error = raw.answer?.error as { message?: string } | undefined;
  return error?.message
    ? { state: "refused", reason: error.message }
    : { state: "lost", reason: raw.text.slice(0, 300) };
}

function noticesOf(raw: RawAnswer): Notice[] {
  const header = raw.headers.get("x-interlingua-notices");
  return header ? (JSON.parse(header) as Notice[]) : [];
}

const strength = { emulated: 0, approximated: 1, dropped: 2 };

function strongest(notices: readonly Notice[]): Notice | undefined {
  return [...notices].sort((a, b) => strength[b.verdict] - strength[a.verdict])[0];
}
