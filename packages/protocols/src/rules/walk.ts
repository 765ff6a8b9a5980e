import { type JsonObject, type Notice, ProtocolError } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { carry, json, runStream, utf8, wireFrames } from "../testing/carrying.ts";
import { type Letter, letters, type Path, protocolOf } from "../testing/letters.ts";
import { type Side, sides } from "../testing/protocol-sides.ts";
import { misfit } from "./pattern.ts";
import type { AnswerRow, None, Outcome, RequestRow, Row } from "./rule.ts";

/** One rule on one pair. */
export interface Cell {
  row: Row;
  path: Path;
  client: Letter;
  upstream: Letter;
  outcome: Outcome | None;
}

/** The smallest body of each client that every upstream takes without a notice. */
const smallest: Readonly<Record<Letter, JsonObject>> = {
  C: { model: "m", max_completion_tokens: 1000, messages: [{ role: "user", content: "Hi" }] },
  R: { model: "m", max_output_tokens: 1000, store: false, input: "Hi" },
  M: { model: "m", max_tokens: 1000, messages: [{ role: "user", content: "Hi" }] },
  G: { contents: [{ role: "user", parts: [{ text: "Hi" }] }], generationConfig: { maxOutputTokens: 1000 } },
};

/** The twelve pairs of different protocols, in the order of the page. */
export const crossings: readonly Path[] = letters.flatMap((client) =>
  letters.filter((upstream) => upstream !== client).map((upstream): Path => `${client}->${upstream}`),
);

/** The twelve cells of a rule. A pair that the rule forgot is an error: there is no verdict by silence. */
export function cellsOf(row: Row): Cell[] {
  return crossings.map((path) => {
    // A path is two letters with an arrow between them.
    const [client, upstream] = path.split("->") as [Letter, Letter];
    const said = row.kind === "request" ? row.asks[client] : row.answers[upstream];
    const own = row.becomes[path];
    const outcome = own ?? (isNone(said) ? said : row.becomes[row.kind === "request" ? upstream : client]);
    if (!outcome) throw new Error(`${row.id} has no verdict for ${path}`);
    if (!isNone(outcome) && isNone(said)) throw new Error(`${row.id} judges ${path}, for which nothing is written`);
    return { row, path, client, upstream, outcome };
  });
}

export function isNone(value: unknown): value is None {
  return isObject(value) && value.verdict === "none";
}

/** Runs the conversion and gives what is not as the cell says; empty where all of it is. */
export function faults({ row, client, upstream, outcome }: Cell): string[] {
  if (isNone(outcome)) return outcome.reason === "" ? ["none without a reason"] : [];
  if (outcome.verdict !== "refused" && isBlank(outcome.wire)) return ["nothing is checked"];
  const ends = { client: sides[protocolOf[client]], upstream: sides[protocolOf[upstream]] };
  return row.kind === "request"
    ? requestFaults(row, client, ends, outcome)
    : answerFaults(row, { client, upstream }, ends, outcome);
}

/** A pattern that anything fits. */
function isBlank(wire: Outcome["wire"]): boolean {
  return wire === undefined || (isObject(wire) && Object.keys(wire).length === 0);
}

interface Ends {
  client: Side;
  upstream: Side;
}

function requestFaults(row: RequestRow, client: Letter, ends: Ends, outcome: Outcome): string[] {
  const asked = row.asks[client];
  if (isNone(asked)) return [];
  const field = outcome.field ?? asked.field;
  try {
    const { upstreamBody, notices } = carry(ends.client, ends.upstream, bodyOf(client, asked.body), options(outcome));
    if (outcome.verdict === "refused") return [`not refused: ${JSON.stringify(upstreamBody)}`];
    return [...noticeFaults(notices, field, outcome), ...wireFaults(upstreamBody, outcome)];
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { status, param, message } = error.error;
    if (outcome.verdict !== "refused") return [`refused: ${param}: ${message}`];
    return status === 400 && param === field ? [] : [`refused by ${status} for '${param}' instead of '${field}'`];
  }
}

function answerFaults(row: AnswerRow, at: { client: Letter; upstream: Letter }, ends: Ends, outcome: Outcome) {
  const answer = row.answers[at.upstream];
  if (isNone(answer)) return [];
  const body = bodyOf(at.client, row.asks?.[at.client] ?? {});

  const whole = carry(ends.client, ends.upstream, body, options(outcome));
  const asked = whole.notices.length;
  const given = json(whole.convertResponse(json(answer)).body);

  // Generate content says it in the path.
  const wish: JsonObject = at.client === "G" ? body : { ...body, stream: true };
  const streamed = carry(ends.client, ends.upstream, wish, { ...options(outcome), stream: true });
  const frames = wireFrames(ends.upstream, ends.upstream.codec.decodeResponse(json(answer)), 3);
  const { text, ended } = runStream(streamed.createStream(), frames.map(utf8));
  if (ended !== "good") return [`the stream ended '${ended}': ${text}`];
  ends.client.verdict(text, 1);

  const ways = [
    { way: "whole", notices: whole.notices, got: given },
    { way: "stream", notices: streamed.notices, got: ends.client.whole(text, 1) },
  ];
  return ways.flatMap(({ way, notices, got }) =>
    [...noticeFaults(notices.slice(asked), outcome.field ?? "", outcome), ...wireFaults(got, outcome)].map(
      (fault) => `${way}: ${fault}`,
    ),
  );
}

/** All notices are told, each once, and no others. */
function noticeFaults(notices: readonly Notice[], field: string, outcome: Outcome): string[] {
  const wanted = Object.entries(outcome.also ?? {}).map(([name, verdict]) => `${name} ${verdict}`);
  if (outcome.verdict !== "kept") wanted.push(`${field} ${outcome.verdict}`);
  const told = notices.map((notice) => `${notice.field} ${notice.verdict}`);
  return [...told].sort().join() === [...wanted].sort().join()
    ? []
    : [`told is [${told.join("; ")}] instead of [${wanted.join("; ")}]`];
}

function wireFaults(body: JsonObject, { wire }: Outcome): string[] {
  const fault = wire === undefined ? undefined : misfit(body, wire);
  return fault === undefined ? [] : [`${fault}, in ${JSON.stringify(body)}`];
}

const options = ({ model }: Outcome) => (model === undefined ? {} : { model });

function bodyOf(client: Letter, more: JsonObject): JsonObject {
  const body = { ...smallest[client], ...more };
  const [ours, theirs] = [smallest[client].generationConfig, more.generationConfig];
  return isObject(ours) && isObject(theirs) ? { ...body, generationConfig: json({ ...ours, ...theirs }) } : body;
}
