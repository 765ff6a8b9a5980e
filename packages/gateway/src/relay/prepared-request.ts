import {
  type CanonicalRequest,
  type Conversion,
  codecs,
  createConversion,
  type JsonObject,
  type Notice,
  type ProtocolCodec,
  refuseLoss,
} from "@interlingua/protocols";
import type { Candidate } from "../channels/route-plan.ts";
import type { RelayContext } from "./context.ts";
import { type CallDocument, goesDirect, type IncomingCall, writtenIn } from "./incoming-call.ts";
import { withOutputCap } from "./output-cap.ts";
import { echoedBody, historyNotice, keptByProvider } from "./stored-state.ts";
import { holdsEnvelope } from "./vault.ts";

/** What is sent to one candidate, and how its answer comes back. */
export interface PreparedRequest {
  lane: "direct" | "converted";
  upstream: ProtocolCodec;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** The usage chunk was asked for by the gateway, not by the caller, who must not see it. */
  hideUsage: boolean;
  /** What the direct lane had to change of the request. The converted lane tells by its conversion. */
  notices: readonly Notice[];
  /** The way back through the canonical form. In the direct lane made only when the upstream answers unexpectedly. */
  conversion: () => Conversion;
}

/**
 * Writes the request for a candidate. `cap`: tokens that an answer may have at most, where the caller can pay for no more.
 * `notices`: what was done to the request before. Throws `ProtocolError` (400) for what this candidate must not be sent.
 */
export function prepareRequest(
  context: RelayContext,
  call: IncomingCall,
  request: CanonicalRequest,
  candidate: Candidate,
  { cap, notices = [] }: { cap?: number; notices?: readonly Notice[] } = {},
): PreparedRequest {
  const prepared =
    cap === undefined
      ? prepare(context, call, request, candidate)
      : prepareCapped(context, call, request, candidate, cap);
  return notices.length === 0 ? prepared : withNotices(prepared, notices);
}

function prepare(
  context: RelayContext,
  call: IncomingCall,
  request: CanonicalRequest,
  candidate: Candidate,
): PreparedRequest {
  const client = codecs[call.client];
  const upstream = codecs[candidate.protocol];
  const { channel, upstreamModel } = candidate;
  const direct = goesDirect(call, candidate);
  // What the gateway sealed into this conversation while another family answered must not reach this one (L20).
  const foreign = direct && (call.history !== undefined || holdsEnvelope(call.document.bytes));
  const keep = direct ? undefined : call.keeper?.keep;
  const upstreamTraits = channel.traits(candidate.protocol, upstreamModel);
  const convert = () =>
    createConversion({
      client,
      upstream,
      request: direct && call.history ? keptByProvider(request, call) : request,
      clientBody: echoedBody(call),
      written: call.written,
      upstreamModel,
      upstreamTraits,
      lossy: direct && !foreign ? "allow" : call.lossy,
      // The codecs write the whole prefix, its separator included.
      ids: (prefix) => prefix + context.platform.id("").slice(1),
      now: context.platform.now,
      vault: context.vaults.of(call.key.accountId),
      framing: call.framing,
      ...(keep ? { keep } : {}),
    });
  const headers: Record<string, string> = {
    accept: request.stream ? "text/event-stream" : "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": "interlingua",
    ...channel.headers(candidate.protocol),
  };
  const base = { upstream, headers };
  const path = channel.basePath + upstream.path(upstreamModel, request.stream);
  if (direct) {
    Object.assign(headers, call.protocolHeaders);
    const asArray = request.stream && call.framing === "json-array";
    const fit = (body: JsonObject) =>
      upstream.fitRequest?.(body, { model: upstreamModel, stream: request.stream, ...upstreamTraits });
    const hideUsage = leavesUsageOut(call, request) && fit(usageWish) === undefined;
    const lane = { ...base, lane: "direct", path: asArray ? withoutSse(path) : path, hideUsage } as const;
    if (foreign) {
      const conversion = convert();
      const body = JSON.stringify(conversion.upstreamBody);
      const prepared = { ...lane, body, notices: conversion.notices, conversion: () => conversion };
      return call.history ? withNotices(prepared, [historyNotice(call.history)]) : prepared;
    }
    const fitted = fit(call.document.value);
    if (fitted) {
      if (call.lossy === "refuse") refuseLoss(fitted.notices);
      const body = JSON.stringify({ ...(hideUsage ? usageWish : {}), ...fitted.body, model: upstreamModel });
      return { ...lane, body, notices: fitted.notices, conversion: convert };
    }
    const own = directBody(call, upstreamModel);
    return { ...lane, body: hideUsage ? withUsageWish(own) : own, notices: [], conversion: convert };
  }
  const conversion = convert();
  const body = JSON.stringify(conversion.upstreamBody);
  return { ...base, lane: "converted", path, body, hideUsage: false, notices: [], conversion: () => conversion };
}

/** The same with the answer's cap lowered, which the caller is told of (M5). */
function prepareCapped(
  context: RelayContext,
  call: IncomingCall,
  request: CanonicalRequest,
  candidate: Candidate,
  cap: number,
): PreparedRequest {
  const written = writtenIn(call);
  const { value, field } = withOutputCap(
    written,
    call.document.value,
    request,
    {
      model: candidate.upstreamModel,
      stream: request.stream,
      ...candidate.channel.traits(written, candidate.upstreamModel),
    },
    cap,
  );
  const bytes = Buffer.from(JSON.stringify(value));
  const prepared = prepare(
    context,
    // The model's place has moved; the lane writes the body anew where its name differs.
    { ...call, document: renamed({ bytes, value }, candidate.upstreamModel) },
    { ...request, maxOutputTokens: cap },
    candidate,
  );
  const detail = `Lowered to ${cap}, which is what the balance or the quota affords.`;
  return withNotices(prepared, [{ field, verdict: "approximated", detail }]);
}

/** The same with these notices before its own. */
export function withNotices(prepared: PreparedRequest, notices: readonly Notice[]): PreparedRequest {
  const conversion = () => {
    const made = prepared.conversion();
    return {
      ...made,
      upstreamBody: made.upstreamBody,
      get notices() {
        return [...notices, ...made.notices];
      },
      convertResponse: made.convertResponse,
      convertStreamed: made.convertStreamed,
      createStream: made.createStream.bind(made),
    };
  };
  return { ...prepared, notices: [...notices, ...prepared.notices], conversion };
}

/** In the direct lane the upstream's own name of the model must stand in what is sent. */
function renamed(document: CallDocument, upstreamModel: string): CallDocument {
  if (document.value.model === undefined) return document;
  const value = { ...document.value, model: upstreamModel };
  return { bytes: Buffer.from(JSON.stringify(value)), value };
}

/**
 * The caller's own bytes with another model name in them: nothing else is written again, so that number spelling, key order
 * and unknown fields survive. The guard has proven that the key stands once.
 */
function directBody(call: IncomingCall, upstreamModel: string): Buffer {
  const { bytes, value, model } = call.document;
  if (!model || value.model === upstreamModel) return bytes;
  return Buffer.concat([
    bytes.subarray(0, model.start),
    Buffer.from(JSON.stringify(upstreamModel)),
    bytes.subarray(model.end),
  ]);
}

/** Chat completions tell no usage in a stream unless asked; without it a call could not be metered. */
function leavesUsageOut(call: IncomingCall, request: CanonicalRequest): boolean {
  return call.client === "chat-completions" && request.stream && call.document.value.stream_options === undefined;
}

function withUsageWish(body: Buffer): Buffer {
  // The guard has seen an object, and it is not empty: it names a model.
  const at = body.indexOf("{") + 1;
  return Buffer.concat([body.subarray(0, at), usageWishText, body.subarray(at)]);
}

const usageWish: JsonObject = { stream_options: { include_usage: true } };
const usageWishText = Buffer.from(`${JSON.stringify(usageWish).slice(1, -1)},`);

/** The address of a generateContent stream that comes as one JSON array. */
function withoutSse(path: string): string {
  return path.replace(/([?&])alt=sse(?:&|$)/, "$1").replace(/[?&]$/, "");
}
