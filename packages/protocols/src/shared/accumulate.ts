import {
  type Candidate,
  type CanonicalResponse,
  canonicalError,
  mergeUsage,
  type Part,
  type PartDelta,
  type PartHead,
  ProtocolError,
  type RefusalPart,
  type StreamEvent,
  type TextPart,
  type ToolCallPart,
} from "../canonical/index.ts";

/** A part that grows; its texts are joined once, at its stop. */
interface OpenPart {
  part: Part;
  texts: string[];
  summaries: string[][];
}

interface OpenCandidate {
  candidate: Candidate;
  open: Map<string, OpenPart>;
}

/**
 * The whole answer from events in encoder order (law L8). Throws `ProtocolError` for an `error` event and for an answer
 * that never ended. Throws `Error` for events out of order, which the event gate makes impossible.
 */
export function accumulate(events: Iterable<StreamEvent>): CanonicalResponse {
  const response: CanonicalResponse = { candidates: [] };
  const candidates = new Map<number, OpenCandidate>();
  let ended = false;
  for (const event of events) {
    switch (event.type) {
      case "start":
        if (event.id !== undefined) response.id = event.id;
        if (event.model !== undefined) response.model = event.model;
        if (event.createdAt !== undefined) response.createdAt = event.createdAt;
        if (event.usage) response.usage = mergeUsage(response.usage, event.usage);
        if (event.serviceTier !== undefined) response.serviceTier = event.serviceTier;
        break;
      case "part-start":
        openCandidate(candidates, event.candidate).open.set(event.key, openPart(event.part));
        break;
      case "part-delta":
        addDelta(known(candidates, event.candidate, event.key), event.delta);
        break;
      case "part-stop": {
        const open = known(candidates, event.candidate, event.key);
        const candidate = openCandidate(candidates, event.candidate);
        candidate.open.delete(event.key);
        candidate.candidate.parts.push(closePart(open));
        break;
      }
      case "part":
        openCandidate(candidates, event.candidate).candidate.parts.push(event.part);
        break;
      case "usage":
        response.usage = mergeUsage(response.usage, event.usage);
        if (event.serviceTier !== undefined) response.serviceTier = event.serviceTier;
        break;
      case "finish":
        openCandidate(candidates, event.candidate).candidate.finish = event.finish;
        break;
      case "end":
        ended = true;
        break;
      case "error":
        throw new ProtocolError(event.error);
    }
  }
  if (!ended) {
    throw new ProtocolError(
      canonicalError("upstream_incomplete", "The answer ended before it was complete.", { code: "stream_incomplete" }),
    );
  }
  response.candidates = [...candidates.values()].map((open) => open.candidate).sort((a, b) => a.index - b.index);
  return response;
}

function openCandidate(candidates: Map<number, OpenCandidate>, index: number): OpenCandidate {
  const known = candidates.get(index);
  if (known) return known;
  const fresh: OpenCandidate = { candidate: { index, parts: [], finish: { reason: "other" } }, open: new Map() };
  candidates.set(index, fresh);
  return fresh;
}

function known(candidates: Map<number, OpenCandidate>, index: number, key: string): OpenPart {
  const open = candidates.get(index)?.open.get(key);
  if (!open) throw new Error(`Part '${key}' of candidate ${index} is not open.`);
  return open;
}

function openPart(head: PartHead): OpenPart {
  return { part: emptyPart(head), texts: [], summaries: [] };
}

function emptyPart(head: PartHead): Part {
  switch (head.type) {
    case "text":
    case "refusal":
      return { ...head, text: "" };
    case "tool-call":
      return { ...head, arguments: "" };
    case "reasoning":
      return { ...head };
  }
}

function addDelta(open: OpenPart, delta: PartDelta): void {
  const { part } = open;
  switch (delta.type) {
    case "text":
    case "arguments":
    case "reasoning":
      open.texts.push(delta.text);
      return;
    case "summary": {
      for (let index = open.summaries.length; index <= delta.index; index += 1) open.summaries.push([]);
      open.summaries[delta.index]?.push(delta.text);
      return;
    }
    case "proof":
      part.proof = delta.proof;
      return;
    case "citation":
      if (part.type === "text") part.citations = [...(part.citations ?? []), delta.citation];
      return;
    case "logprobs":
      if (part.type === "text") part.logprobs = [...(part.logprobs ?? []), ...delta.logprobs];
      return;
  }
}

function closePart(open: OpenPart): Part {
  const { part } = open;
  const text = open.texts.join("");
  if (part.type === "text" || part.type === "refusal") part.text = text;
  if (part.type === "tool-call") part.arguments = callArguments(part, text);
  if (part.type === "reasoning") {
    if (open.texts.length > 0) part.text = text;
    if (open.summaries.length > 0) part.summary = open.summaries.map((texts) => texts.join(""));
  }
  return part;
}

/** A function call without any argument text is `{}` (S35). */
function callArguments(part: ToolCallPart, text: string): string {
  return part.toolKind === "function" && text === "" ? "{}" : text;
}

/**
 * A whole answer as events in encoder order, one delta for each thing a part holds (S34). What events have no place for
 * (`extras`, `at`, cache marks) stays behind.
 */
export function responseToEvents(response: CanonicalResponse): StreamEvent[] {
  const { id, model, createdAt, usage, serviceTier } = response;
  const events: StreamEvent[] = [
    {
      type: "start",
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { model }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(usage ? { usage } : {}),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    },
  ];
  for (const { index, parts } of response.candidates) {
    parts.forEach((part, at) => {
      events.push(...partToEvents(index, String(at), part));
    });
  }
  if (usage) events.push({ type: "usage", usage, ...(serviceTier === undefined ? {} : { serviceTier }) });
  for (const { index, finish } of response.candidates) events.push({ type: "finish", candidate: index, finish });
  events.push({ type: "end" });
  return events;
}

/** A whole part as events: in pieces where encoders expect pieces, else as one `part` event. */
export function partToEvents(candidate: number, key: string, part: Part): StreamEvent[] {
  const head = headOf(part);
  if (!head) return [{ type: "part", candidate, part }];
  return [
    { type: "part-start", candidate, key, part: head },
    ...deltasOf(part).map((delta): StreamEvent => ({ type: "part-delta", candidate, key, delta })),
    { type: "part-stop", candidate, key },
  ];
}

/** Undefined for a part that comes whole. */
function headOf(part: Part): PartHead | undefined {
  switch (part.type) {
    case "text":
      return { type: "text", ...(part.proof ? { proof: part.proof } : {}), ...phaseOf(part) };
    case "refusal":
      return { type: "refusal", ...phaseOf(part) };
    case "reasoning":
      return { type: "reasoning" };
    case "tool-call": {
      const { type, callId, name, toolKind, proof } = part;
      return { type, callId, name, toolKind, ...(proof ? { proof } : {}) };
    }
    case "image":
    case "audio":
    case "video":
    case "document":
    case "tool-result":
    case "server-tool":
    case "opaque":
      return undefined;
  }
}

function phaseOf({ phase }: TextPart | RefusalPart): { phase?: string } {
  return phase === undefined ? {} : { phase };
}

function deltasOf(part: Part): PartDelta[] {
  const deltas: PartDelta[] = [];
  switch (part.type) {
    case "text":
      if (part.text !== "") deltas.push({ type: "text", text: part.text });
      if (part.logprobs) deltas.push({ type: "logprobs", logprobs: part.logprobs });
      for (const citation of part.citations ?? []) deltas.push({ type: "citation", citation });
      return deltas;
    case "refusal":
      if (part.text !== "") deltas.push({ type: "text", text: part.text });
      return deltas;
    case "tool-call":
      if (part.arguments !== "") deltas.push({ type: "arguments", text: part.arguments });
      return deltas;
    case "reasoning":
      (part.summary ?? []).forEach((text, index) => {
        deltas.push({ type: "summary", index, text });
      });
      if (part.text !== undefined) deltas.push({ type: "reasoning", text: part.text });
      // A signature comes last, over all that it signs.
      if (part.proof) deltas.push({ type: "proof", proof: part.proof });
      return deltas;
    case "image":
    case "audio":
    case "video":
    case "document":
    case "tool-result":
    case "server-tool":
    case "opaque":
      return deltas;
  }
}
