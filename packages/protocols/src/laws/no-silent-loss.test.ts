import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalRequest,
  type JsonObject,
  type JsonValue,
  type Notice,
  type Part,
  ProtocolError,
  type ProtocolName,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { carry } from "../testing/carrying.ts";
import { concepts, whenAbsent } from "../testing/concepts.ts";
import { requests } from "../testing/covered-requests.ts";
import { pairs, type Side } from "../testing/protocol-sides.ts";

const seed = 4;
const vault = plainVault();

/** The client's request, by way of its own protocol; undefined where a drawn request is none that it can write. */
function written(client: Side, drawn: CanonicalRequest): { body: JsonObject; asked: CanonicalRequest } | undefined {
  const { model, stream } = drawn;
  try {
    const { body } = client.codec.encodeRequest(drawn, { model: client.model, stream });
    return { body, asked: client.codec.decodeRequest(body, { model, stream }, { vault }) };
  } catch (cause) {
    if (cause instanceof ProtocolError) return undefined;
    throw cause;
  }
}

/** Lists may grow by what the gateway adds, and texts may be joined; nothing may be missing or change its order. */
function isKept(wanted: JsonValue, arrived: JsonValue | undefined): boolean {
  if (!Array.isArray(wanted)) return JSON.stringify(arrived) === JSON.stringify(wanted);
  if (!Array.isArray(arrived)) return wanted.length === 0;
  if (wanted.every((value) => typeof value === "string")) return holdsTexts(wanted, arrived.join("\n"));
  let from = 0;
  return wanted.every((value) => {
    const at = arrived.findIndex((other, index) => index >= from && isSame(value, other));
    from = at + 1;
    return at !== -1;
  });
}

function holdsTexts(wanted: readonly string[], arrived: string): boolean {
  let from = 0;
  return wanted.every((text) => {
    const at = arrived.indexOf(text, from);
    from = at + text.length;
    return at !== -1;
  });
}

/** A result without text of its own may say where its media went. */
function isSame(wanted: JsonValue, arrived: JsonValue): boolean {
  const isSilent = isObject(wanted) && wanted.text === "" && isObject(arrived);
  return JSON.stringify(wanted) === JSON.stringify(isSilent ? { ...arrived, text: "" } : arrived);
}

/** What of the request is neither there nor told. */
function silentlyLost(
  asked: CanonicalRequest,
  arrived: CanonicalRequest,
  notices: readonly Notice[],
  upstream: ProtocolName,
  takesAll: boolean,
): string[] {
  return Object.entries(concepts).flatMap(([name, { read, covered, told }]) => {
    const wanted = read(asked);
    if (wanted === undefined || isKept(wanted, read(arrived) ?? whenAbsent.get(name))) return [];
    const isTold = notices.some(({ field }) => told.test(field));
    // A choice of a few tools is made by leaving out the others where it cannot be said (T9).
    const isNarrowed = asked.toolChoice?.mode === "subset" && name.startsWith("tool ");
    if (isTold && !(takesAll && covered.includes(upstream) && !isNarrowed)) return [];
    return [
      `${name}${isTold ? " (told)" : ""}: ${JSON.stringify(wanted)} became ${JSON.stringify(read(arrived))}; told: ${notices.map(({ field }) => field).join(", ")}`,
    ];
  });
}

/** Undefined where the request was refused. */
function lossesOf(client: Side, upstream: Side, drawn: CanonicalRequest, model: string): string[] | undefined {
  const sent = written(client, drawn);
  if (!sent) return undefined;
  const { body, asked } = sent;
  try {
    const conversion = carry({ ...client, envelope: { model: "m", stream: drawn.stream } }, upstream, body, { model });
    const arrived = upstream.codec.decodeRequest(
      conversion.upstreamBody,
      { model: "m", stream: drawn.stream },
      { vault },
    );
    return silentlyLost(asked, arrived, conversion.notices, upstream.name, model === upstream.model);
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    expect(cause.error.status).toBe(400);
    expect(cause.error.param ?? "").not.toBe("");
    return undefined;
  }
}

/** The request without what is mostly refused, which would hide all the rest of it. */
function milder({ candidates: _candidates, cache: _cache, ...rest }: CanonicalRequest): CanonicalRequest {
  const { logprobs: _logprobs, ...sampling } = rest.sampling;
  const isHeavy = (part: Part) =>
    part.type === "audio" || part.type === "video" || ("source" in part && part.source.type === "url");
  const turns = rest.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part): Part => (isHeavy(part) ? { type: "text", text: "In words." } : part)),
  }));
  return { ...rest, sampling, turns };
}

/** Checks drawn requests; enough of them must get through, or the law would be true of nothing. */
function holds(client: Side, upstream: Side, models: readonly string[]): void {
  let arrived = 0;
  fc.assert(
    fc.property(requests[client.name], fc.constantFrom(...models), fc.nat({ max: 3 }), (drawn, model, odds) => {
      const losses = lossesOf(client, upstream, odds === 0 ? drawn : milder(drawn), model);
      if (losses) arrived += 1;
      expect(losses ?? []).toEqual([]);
    }),
    { numRuns: 150, seed },
  );
  expect(arrived).toBeGreaterThan(40);
}

describe("L4 what the upstream's protocol can say arrives; everything else is told or refused by its field", () => {
  for (const { name, client, upstream } of pairs("crossing")) {
    test(name, () => {
      holds(client, upstream, [upstream.model]);
    });

    test(`${name}, models that take less`, () => {
      holds(client, upstream, upstream.models);
    });
  }
});
