import { type CanonicalError, canonicalError, ProtocolError } from "@interlingua/protocols";
import type { OutboundGuard } from "../channels/outbound-guard.ts";
import { createUndiciClient } from "../channels/undici-client.ts";
import type { UpstreamFault } from "../channels/upstream-client.ts";
import type { Config } from "../config/config.ts";
import { showDuration, showSize } from "../config/quantity.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { goesWith, sniffMediaType } from "./media-type.ts";

/** What stands at an address. */
export interface AddressBytes {
  /** What the bytes themselves say. */
  mediaType: string;
  bytes: Buffer;
}

export interface FetchAddressOptions {
  url: string;
  /** The caller's field, which errors name. */
  field: string;
  settings: Pick<Config, "media" | "upstream" | "limits">;
  guard: OutboundGuard;
  timers: Pick<TimerWheel, "after">;
  /** Hears of bytes before they are kept; throws `ProtocolError` where there is no room for them. */
  take: (bytes: number) => void;
  /** Hears why a connection failed, for the operator's log. */
  onFault: (fault: UpstreamFault) => void;
  /** Ends it at once. */
  signal: AbortSignal;
}

const mostRedirects = 3;
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** All that is told of ourselves: no cookie, no credential, nothing of the caller. */
const headers = {
  accept: "image/*, application/pdf, audio/*, video/*",
  "accept-encoding": "identity",
  "user-agent": "interlingua",
};

/**
 * Fetches one address that a caller named (M2, S3): https alone, over connections that the guard lets through, bounded in
 * size and time. Each redirect is checked like the first address. Rejects with a `ProtocolError` (400, 413) that names the
 * field and repeats nothing of what stands there.
 */
export async function fetchAddress(options: FetchAddressOptions): Promise<AddressBytes> {
  const { field, settings, timers } = options;
  const late = new AbortController();
  const limit = timers.after(settings.media.timeoutMs, () => late.abort());
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    let address = options.url;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await ask(checked(address, options), { ...options, signal });
      if ("bytes" in answer) return judged(answer, field);
      address = answer.location;
    }
    throw notFetched(field, "it is redirected too often");
  } catch (cause) {
    // Whatever broke then, it broke because the time was over.
    if (!late.signal.aborted) throw cause;
    throw notFetched(field, `it did not come within ${showDuration(settings.media.timeoutMs)}`);
  } finally {
    limit.cancel();
  }
}

/** The address, where it may be asked at all. */
function checked(address: string, { field, guard }: FetchAddressOptions): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:" && guard.refusal(url.href) === undefined) return url;
  const message = `'${field}' leads where this gateway does not fetch: it takes https addresses of the internet.`;
  throw refused(field, message, "url_not_allowed");
}

/** Bytes that are what they were said to be. */
function judged({ bytes, contentType }: Body, field: string): AddressBytes {
  const mediaType = sniffMediaType(bytes);
  if (mediaType !== undefined && goesWith(contentType, mediaType)) return { mediaType, bytes };
  const what = mediaType === undefined ? "no image, PDF, sound or film" : "not of the type that its server says";
  throw refused(field, `What '${field}' leads to is ${what}.`, "unsupported_media_type");
}

interface Body {
  bytes: Buffer;
  contentType: string | undefined;
}

/** One request over a connection of its own. */
async function ask(url: URL, options: FetchAddressOptions): Promise<Body | { location: string }> {
  const { field, settings, guard, signal } = options;
  const { connectTimeoutMs } = settings.upstream;
  const { timeoutMs, fileBytes } = settings.media;
  const client = createUndiciClient(url.origin, {
    connectTimeoutMs,
    headerBytes: settings.limits.headerBytes,
    connect: guard.connector(url.origin, connectTimeoutMs),
  });
  const chunks: Buffer[] = [];
  let length = 0;
  let contentType: string | undefined;
  let ended = false;
  try {
    return await new Promise((resolve, reject) => {
      const end = (work: () => void) => {
        if (ended) return;
        ended = true;
        work();
      };
      const fail = (cause: unknown) => end(() => reject(cause));
      const stop = () => fail(notFetched(field));
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      client.send(
        {
          method: "GET",
          path: url.pathname + url.search,
          headers,
          body: null,
          headersTimeoutMs: timeoutMs,
          bodyTimeoutMs: timeoutMs,
        },
        {
          connected: () => undefined,
          start(status, head) {
            if (redirecting.has(status)) {
              const { location = "" } = head;
              if (!URL.canParse(location, url)) return fail(notFetched(field, "it is redirected to nowhere"));
              return end(() => resolve({ location: new URL(location, url).href }));
            }
            if (status !== 200) return fail(notFetched(field, `its server answers with status ${status}`));
            if ((head["content-encoding"] ?? "identity") !== "identity") {
              return fail(notFetched(field, "its server sends it compressed"));
            }
            contentType = head["content-type"];
            if (Number(head["content-length"] ?? 0) > fileBytes) fail(tooLarge(field, fileBytes));
          },
          data(chunk) {
            if (ended) return;
            length += chunk.length;
            if (length > fileBytes) return fail(tooLarge(field, fileBytes));
            try {
              options.take(chunk.length);
              chunks.push(chunk);
            } catch (cause) {
              fail(cause);
            }
          },
          end: () => end(() => resolve({ bytes: Buffer.concat(chunks, length), contentType })),
          error(fault) {
            if (!ended) options.onFault(fault);
            fail(notFetched(field));
          },
        },
      );
    });
  } finally {
    // Cuts what still comes.
    await client.close();
  }
}

function notFetched(field: string, why?: string): ProtocolError {
  const cause = why === undefined ? "" : `: ${why}`;
  return refused(field, `'${field}' could not be fetched${cause}.`, "url_fetch_failed");
}

function refused(field: string, message: string, code: string): ProtocolError {
  return new ProtocolError(canonicalError("bad_request", message, { param: field, code }));
}

/** What is beyond a bound of bytes. */
export function tooLarge(field: string, bound: number, whole = "file"): ProtocolError {
  const message = `'${field}' leads beyond the ${showSize(bound)} that this gateway fetches for a ${whole}.`;
  const error: CanonicalError = canonicalError("too_large", message, { param: field, code: "media_too_large" });
  return new ProtocolError(error);
}
