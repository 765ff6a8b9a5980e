import type { ProtocolName } from "@interlingua/protocols";
import { models, type PastModel } from "./models.ts";
import { noticesBy } from "./notices.ts";
import { endings, type PastEnding, retried } from "./outcomes.ts";
import { type Draw, weighted } from "./random.ts";

/** One try of a channel in the made-up past; milliseconds since the call's begin. */
interface PastAttempt {
  channel: string;
  started: number;
  connect: number | null;
  firstByte: number | null;
  end: number;
  status: number | null;
  errorKind: string | null;
  code: string | null;
  billed: boolean;
}

/** A call of the made-up past. */
export interface PastCall {
  model: PastModel;
  clientProtocol: ProtocolName;
  ending: PastEnding;
  stream: boolean;
  tokens: { uncached: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number } | null;
  notices: string;
  admission: number;
  firstToken: number | null;
  end: number;
  attempts: PastAttempt[];
  /** Nano-dollars. */
  charge: number;
  lines: string;
}

const drawModel = weighted(models);
const drawEnding = weighted(endings);
const drawRetried = weighted(retried);
const protocols: readonly [{ name: ProtocolName; weight: number }, ...{ name: ProtocolName; weight: number }[]] = [
  { name: "messages", weight: 44 },
  { name: "responses", weight: 26 },
  { name: "chat-completions", weight: 22 },
  { name: "generate-content", weight: 8 },
];
const drawProtocol = weighted(protocols);

/** Hours before the end of the past in which a channel answered badly. */
const incident = { channel: "azure-east", from: 9 * 24 + 4, to: 9 * 24 };

/** Draws a call that begins so many hours before the end of the past. */
export function drawCall(draw: Draw, hoursAgo: number, markupPpm: number): PastCall {
  const model = drawModel(draw);
  const clientProtocol = draw.next() < 0.35 ? model.protocol : drawProtocol(draw).name;
  const spare = model.channels[1];
  const channel = spare !== undefined && draw.next() < 0.25 ? spare : model.channels[0];
  const troubled = channel === incident.channel && hoursAgo <= incident.from && hoursAgo > incident.to;
  const ending = troubled && draw.next() < 0.45 ? (endings[2] ?? endings[0]) : drawEnding(draw);
  const stream = draw.next() < 0.7;
  const admission = round(0.4 + draw.next() * 2.6);
  const tokens = drawTokens(draw, model, ending);
  const lines = tokens ? priceLines(model, tokens, markupPpm) : [];
  const charge = lines.reduce((sum, { amount }) => sum + amount, 0);
  const call: PastCall = {
    model,
    clientProtocol,
    ending,
    stream,
    tokens,
    notices: ending.reached !== "none" && clientProtocol !== model.protocol ? noticesBy(draw.next()) : "[]",
    admission,
    firstToken: null,
    end: admission + 0.3,
    attempts: [],
    charge,
    lines: lines.length === 0 ? "[]" : JSON.stringify(lines.map(lineJson)),
  };
  if (ending.reached !== "none") runAttempts(draw, call, channel, spare);
  return call;
}

function drawTokens(draw: Draw, model: PastModel, ending: PastEnding): PastCall["tokens"] {
  if (ending.reached === "none" || ending.reached === "head") return null;
  const cached = draw.next() < 0.55 ? Math.floor(900 + 42_000 * draw.next() ** 2) : 0;
  const written = model.protocol === "messages" && draw.next() < 0.3 ? Math.floor(400 + 6000 * draw.next() ** 2) : 0;
  const whole = Math.floor(25 + 3200 * draw.next() ** 3);
  const output = ending.reached === "end" ? whole : Math.floor(whole * draw.next());
  const reasoning = model.reasoning > 0 && draw.next() < 0.6 ? Math.floor(output * model.reasoning * draw.next()) : 0;
  return {
    uncached: Math.floor(60 + 7000 * draw.next() ** 3),
    cacheRead: cached,
    cacheWrite: written,
    output,
    reasoning,
  };
}

interface Line {
  class: string;
  quantity: number;
  perToken: number;
  amount: number;
}

function priceLines(model: PastModel, tokens: NonNullable<PastCall["tokens"]>, markupPpm: number): Line[] {
  const line = (name: string, quantity: number, perToken: number): Line[] =>
    quantity === 0
      ? []
      : [{ class: name, quantity, perToken, amount: Math.round((quantity * perToken * (markupPpm / 1000)) / 1000) }];
  return [
    ...line("input", tokens.uncached, model.input),
    ...line("cacheRead", tokens.cacheRead, model.cacheRead),
    ...line("cacheWrite", tokens.cacheWrite, model.cacheWrite),
    ...line("output", tokens.output - tokens.reasoning, model.output),
    ...line("reasoning", tokens.reasoning, model.output),
  ];
}

function lineJson({ class: name, quantity, perToken, amount }: Line) {
  return { class: name, quantity, price: String(perToken * 1_000_000), amount: String(amount) };
}

function runAttempts(draw: Draw, call: PastCall, channel: string, spare: string | undefined): void {
  const { model, ending } = call;
  let started = call.admission;
  if (spare !== undefined && draw.next() < 0.03) {
    const failed = drawRetried(draw);
    const waited = failed.errorKind === "timeout" ? 8000 : 90 + draw.next() * 400;
    call.attempts.push({
      ...failure(failed),
      channel,
      started,
      connect: round(started + 9),
      firstByte: null,
      end: round(started + waited),
    });
    started = round(started + waited + 100 + draw.next() * 400);
  }
  const last = call.attempts.length > 0 && spare !== undefined ? other(model, channel) : channel;
  const connect = round(started + 1 + 20 * draw.next() ** 2);
  if (ending.reached === "head") {
    const end = round(connect + (ending.errorKind === "timeout" ? 30_000 : 60 + draw.next() * 600));
    const firstByte = ending.upstreamStatus === null ? null : end;
    call.attempts.push({ ...failure(ending), channel: last, started, connect, firstByte, end });
    call.end = round(end + 0.4);
    return;
  }
  const wait = model.firstTokenMs * (0.45 + draw.next() + 2.5 * draw.next() ** 6);
  const output = call.tokens?.output ?? 0;
  call.firstToken = round(connect + wait);
  const end = round(call.firstToken + (output / model.tokensPerSecond) * 1000 * (0.8 + 0.4 * draw.next()));
  const broken = ending.reached === "part" && ending.outcome === "upstream_incomplete";
  call.attempts.push({
    ...failure(ending),
    errorKind: broken ? ending.errorKind : null,
    code: broken ? ending.code : null,
    channel: last,
    started,
    connect,
    firstByte: round(call.firstToken - Math.min(40, wait / 4)),
    end,
    billed: false,
  });
  call.end = round(end + 0.6);
}

function failure({ upstreamStatus, errorKind, code }: PastEnding) {
  return { status: upstreamStatus, errorKind, code, billed: errorKind === "timeout" || (upstreamStatus ?? 0) >= 500 };
}

function other(model: PastModel, channel: string): string {
  return model.channels.find((name) => name !== channel) ?? channel;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
