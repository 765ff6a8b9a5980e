import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type CanonicalRequest, codecs, type JsonValue, ProtocolError, remoteMedia } from "@interlingua/protocols";
import type { Candidate } from "../channels/route-plan.ts";
import type { UpstreamExchange } from "../channels/upstream-client.ts";
import { baseHeaders, sendBody } from "./client-answer.ts";
import type { RelayContext } from "./context.ts";
import { findCandidates, routeQuery } from "./find-candidates.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { checkModel } from "./key-permission.ts";
import { places, withStoredState } from "./stored-state.ts";
import { estimateInputTokens } from "./token-estimate.ts";

/** A count's answer is a number in a small object. */
const answerBytes = 65_536;
const countTimeoutMs = 20_000;

/**
 * Answers a token count: by the upstream's own counter where the chosen channel's protocol has one, else by an estimate
 * that says so in a header. `rateHeaders` go with it. Never runs the request. Throws `ProtocolError` for what is wrong with it.
 */
export async function countTokens(
  context: RelayContext,
  incoming: IncomingCall,
  response: ServerResponse,
  rateHeaders: OutgoingHttpHeaders,
): Promise<void> {
  const call = await withStoredState(context, incoming);
  const client = codecs[call.client];
  const vault = context.vaults.of(call.key.accountId);
  const request = client.tokenCounting.decodeRequest(call.document.value, call.envelope, { vault, ...places(call) });
  const exact = await countByChannel(context, call, request, response);
  if (response.destroyed) return;
  const headers = { ...baseHeaders(call.client, call.id), ...rateHeaders };
  if (exact === undefined) headers["x-interlingua-estimated"] = "true";
  const tokens = exact ?? (await estimateInputTokens(request));
  sendBody(response, 200, headers, JSON.stringify(client.tokenCounting.encodeAnswer(tokens)));
}

/** The first channel's count. Throws `ProtocolError` where the call may not be made or no channel takes it. */
async function countByChannel(
  context: RelayContext,
  call: IncomingCall,
  request: CanonicalRequest,
  response: ServerResponse,
): Promise<number | undefined> {
  const query = routeQuery(call, request.model);
  const held = context.channels.hold();
  try {
    checkModel(held.routes, call.key, query);
    const [candidate] = findCandidates(held.routes, query, context.platform.monotonic());
    return candidate && (await countUpstream(context, call, request, candidate, response));
  } finally {
    held.release();
  }
}

/** The upstream's count, or undefined where it has no counter or the counter fails: an estimate is better than nothing. */
async function countUpstream(
  context: RelayContext,
  call: IncomingCall,
  request: CanonicalRequest,
  candidate: Candidate,
  response: ServerResponse,
): Promise<number | undefined> {
  const { channel, protocol, upstreamModel } = candidate;
  const counter = codecs[protocol].tokenCounting.upstream;
  if (!counter) return undefined;
  const direct = protocol === call.client;
  const target = { model: upstreamModel, stream: false, ...channel.traits(protocol, upstreamModel) };
  // A count is not worth what the call itself would have to fetch first.
  if (context.media && !direct && remoteMedia(request, codecs[protocol], target).length > 0) return undefined;
  const body = JSON.stringify(counter.encodeRequest(request, target));
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": "interlingua",
    ...channel.headers(protocol),
    ...(direct ? call.protocolHeaders : {}),
  };
  const answer = await ask(context, candidate, channel.basePath + counter.path(upstreamModel), headers, body, response);
  if (answer === undefined) return undefined;
  try {
    return counter.decodeAnswer(answer);
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    context.log.warn("an upstream's token count could not be read", { call_id: call.id, channel: channel.name });
    return undefined;
  }
}

function ask(
  context: RelayContext,
  candidate: Candidate,
  path: string,
  headers: Record<string, string>,
  body: string,
  response: ServerResponse,
): Promise<JsonValue | undefined> {
  return new Promise((resolve) => {
    let exchange: UpstreamExchange | undefined;
    let accepted = false;
    let length = 0;
    const chunks: Buffer[] = [];
    const abort = () => exchange?.abort();
    response.on("close", abort);
    const end = (value: JsonValue | undefined) => {
      response.off("close", abort);
      resolve(value);
    };
    candidate.channel.client.send(
      { method: "POST", path, headers, body, headersTimeoutMs: countTimeoutMs, bodyTimeoutMs: countTimeoutMs },
      {
        connected(running) {
          exchange = running;
        },
        start(status) {
          accepted = status === 200;
        },
        data(chunk) {
          length += chunk.length;
          if (length > answerBytes) exchange?.abort();
          else chunks.push(chunk);
        },
        end: () => end(accepted ? parsed(Buffer.concat(chunks)) : undefined),
        error(fault) {
          context.log.warn("an upstream exchange failed", {
            channel: candidate.channel.name,
            reason: fault.kind,
            detail: fault.detail,
          });
          end(undefined);
        },
      },
    );
  });
}

function parsed(bytes: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // No JSON is no count; the estimate takes its place.
    return undefined;
  }
}
