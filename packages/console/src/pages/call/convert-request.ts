import {
  codecs,
  createConversion,
  type JsonObject,
  type Notice,
  ProtocolError,
  plainVault,
} from "@interlingua/protocols";
import type { Protocol } from "../../shared/gateway-call.ts";
import type { CallDetail } from "./call-data.ts";

export interface ConvertedRequest {
  body: JsonObject;
  notices: readonly Notice[];
}

/** A kept request in another protocol or for another model, or why it cannot be. Loaded when it is first asked for. */
export function convertRequest(
  call: Pick<CallDetail, "client_protocol" | "model" | "stream">,
  body: JsonObject,
  to: { protocol: Protocol; model: string },
): ConvertedRequest | { refused: string } {
  if (to.protocol === call.client_protocol) {
    return { body: "model" in body ? { ...body, model: to.model } : body, notices: [] };
  }
  try {
    const client = codecs[call.client_protocol];
    const vault = plainVault();
    const envelope = { ...(call.model === null ? {} : { model: call.model }), stream: call.stream };
    const conversion = createConversion({
      client,
      upstream: codecs[to.protocol],
      request: client.decodeRequest(body, envelope, { vault }),
      clientBody: body,
      upstreamModel: to.model,
      lossy: "allow",
      // No answer is converted here, so nothing is ever minted or dated.
      ids: (prefix) => prefix,
      now: () => 0,
      vault,
    });
    return { body: conversion.upstreamBody, notices: conversion.notices };
  } catch (cause) {
    if (cause instanceof ProtocolError) return { refused: cause.message };
    throw cause;
  }
}
