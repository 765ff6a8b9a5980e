import type { IncomingMessage, ServerResponse } from "node:http";
import { type CanonicalError, canonicalError, ProtocolError } from "@interlingua/protocols";
import type { Config } from "../config/config.ts";
import type { Delivery, Webhooks } from "../payments/webhooks.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { checkBodyHead, readBody } from "./body.ts";
import { notAccepting } from "./failed-request.ts";

/** Most bytes of an event (C5). */
const mostBytes = 65_536;

interface WebhookOptions {
  settings: Pick<Config, "server">;
  timers: TimerWheel;
  webhooks: Webhooks;
  log: Log;
  accepting: () => boolean;
}

interface WebhookRequest {
  id: string;
  message: IncomingMessage;
  response: ServerResponse;
}

/**
 * Reads an event of a payment provider, byte by byte as it came, and takes it in; logged either way. Resolves where the
 * provider need not send it again; throws what tells the caller why it is not taken (M13).
 */
export async function takeWebhook(options: WebhookOptions, request: WebhookRequest, provider: string): Promise<void> {
  const known = { call_id: request.id, path: `/webhooks/${provider}` };
  try {
    const outcome = await receive(options, request, provider);
    options.log.info("an event of a payment provider was taken", { ...known, outcome });
  } catch (cause) {
    if (cause instanceof ProtocolError) {
      const { code } = cause.error;
      options.log.warn("an event of a payment provider was refused", { ...known, ...(code ? { reason: code } : {}) });
    }
    throw cause;
  }
}

async function receive(
  { settings, timers, webhooks, accepting }: WebhookOptions,
  { message, response }: WebhookRequest,
  provider: string,
): Promise<string> {
  if (!accepting()) throw new ProtocolError(notAccepting());
  const limits = { ...settings.server, bodyBytes: mostBytes };
  const coding = message.headers["content-encoding"];
  // What is signed are the bytes as they come: there is nothing to be unpacked.
  if (coding !== undefined && coding.trim().toLowerCase() !== "identity") {
    const more = { param: "content-encoding", code: "unsupported_encoding" };
    throw new ProtocolError(canonicalError("unsupported_media", "An event must not be compressed.", more));
  }
  checkBodyHead(message, limits);
  if (message.headers.expect !== undefined) response.writeContinue();
  const body = await readBody(message, limits, timers);
  const name = webhooks.signatureHeader(provider) ?? "";
  const header = message.headers[name];
  const delivery = await webhooks.receive(provider, typeof header === "string" ? header : undefined, body);
  switch (delivery.kind) {
    case "taken":
      return delivery.outcome;
    case "repeated":
      return delivery.kind;
    case "refused":
      throw new ProtocolError(refusalOf(delivery.reason, name));
  }
}

function refusalOf(reason: Extract<Delivery, { kind: "refused" }>["reason"], header: string): CanonicalError {
  switch (reason) {
    case "missing":
    case "malformed":
    case "wrong":
      return canonicalError("bad_request", `The signature in '${header}' is not the provider's.`, {
        param: header,
        code: "invalid_signature",
      });
    case "too_old":
      return canonicalError("bad_request", `The signature in '${header}' is too old, or a clock is wrong.`, {
        param: header,
        code: "signature_too_old",
      });
    case "not_an_event":
      return canonicalError("bad_request", "The body is not an event of this provider.", { code: "invalid_event" });
  }
}
