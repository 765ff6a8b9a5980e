import { canonicalError, type FetchedMedia, ProtocolError, type RemoteMedia } from "@interlingua/protocols";
import type { OutboundGuard } from "../channels/outbound-guard.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { fetchAddress, tooLarge } from "./fetch-address.ts";

/** What one call fetches, shared by all channels that are tried for it. */
export interface CallMedia {
  /**
   * What stands at the addresses of these places, by address; each is fetched once, however often it is asked for. Rejects
   * with a `ProtocolError` (400, 413, 503) that names the field where one cannot be had.
   */
  fetch(places: readonly RemoteMedia[]): Promise<ReadonlyMap<string, FetchedMedia>>;
  /** Ends what runs and gives its room back; to be called when the call has ended. */
  close(): void;
}

/** Fetches media that callers name by their addresses, where the operator allows it (M2). */
export interface MediaFetcher {
  /** For one call. `callId` is for the log. */
  open(callId: string): CallMedia;
}

export interface MediaFetcherOptions {
  settings: Pick<Config, "media" | "upstream" | "limits">;
  guard: OutboundGuard;
  timers: Pick<TimerWheel, "after">;
  log: Pick<Log, "warn">;
}

export function createMediaFetcher(options: MediaFetcherOptions): MediaFetcher {
  const { files, callBytes, heldBytes } = options.settings.media;
  /** Bytes of all calls that have not ended. */
  let held = 0;

  return {
    open(callId) {
      const ending = new AbortController();
      const running = new Map<string, Promise<FetchedMedia>>();
      let own = 0;

      const take = (field: string, count: number) => {
        if (own + count > callBytes) throw tooLarge(field, callBytes, "call");
        if (held + count > heldBytes) throw noRoom();
        own += count;
        held += count;
      };
      const fetchOne = async ({ url, field }: RemoteMedia): Promise<FetchedMedia> => {
        const { mediaType, bytes } = await fetchAddress({
          ...options,
          url,
          field,
          signal: ending.signal,
          take: (count) => take(field, count),
          onFault: ({ kind, detail }) =>
            options.log.warn("remote media could not be fetched", { call_id: callId, reason: kind, detail }),
        });
        return { mediaType, data: bytes.toString("base64") };
      };
      const once = (place: RemoteMedia) => {
        const fetched = running.get(place.url) ?? fetchOne(place);
        running.set(place.url, fetched);
        return fetched;
      };

      return {
        async fetch(places) {
          const found = new Map(places.map((place) => [place.url, place]));
          if (found.size > files) throw tooMany(places, files);
          const media = new Map<string, FetchedMedia>();
          await Promise.all(Array.from(found, async ([url, place]) => media.set(url, await once(place))));
          checkSum(places, media, callBytes);
          return media;
        },
        close() {
          ending.abort();
          held -= own;
          own = 0;
        },
      };
    },
  };
}

/** An address that stands at many places is fetched once, but sent as often. */
function checkSum(places: readonly RemoteMedia[], media: ReadonlyMap<string, FetchedMedia>, callBytes: number): void {
  let sum = 0;
  for (const { url, field } of places) {
    sum += Buffer.byteLength(media.get(url)?.data ?? "", "base64");
    if (sum > callBytes) throw tooLarge(field, callBytes, "call");
  }
}

function tooMany(places: readonly RemoteMedia[], files: number): ProtocolError {
  const { field } = places[files] ?? { field: "model" };
  const message = `'${field}' is one address too many: this gateway fetches at most ${files} for a call.`;
  return new ProtocolError(canonicalError("bad_request", message, { param: field, code: "too_many_media" }));
}

/** As many bytes as the gateway may hold are held for other calls. */
function noRoom(): ProtocolError {
  const message = "The gateway fetches too much at the moment.";
  return new ProtocolError(canonicalError("overloaded", message, { code: "overloaded", retryAfterSeconds: 1 }));
}
