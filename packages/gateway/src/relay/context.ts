import type { ContentStore } from "../calls/content-store.ts";
import type { ChannelSet } from "../channels/channel-set.ts";
import type { Config } from "../config/config.ts";
import type { RateCounters } from "../coordination/rate-counters.ts";
import type { MediaFetcher } from "../media/media-fetcher.ts";
import type { Platform } from "../platform.ts";
import type { StoredResponses } from "../stored-responses/stored-responses.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { BudgetOptions } from "./budget.ts";
import type { RefusedFields } from "./refused-fields.ts";
import type { Vaults } from "./vault.ts";

/** What the relay works with. Made once by the composition root; nothing but `settings` may be another one later. */
export interface RelayContext {
  /** May be another one at each look; a call goes by what holds when it begins. */
  readonly settings: Pick<Config, "server" | "limits" | "upstream" | "record" | "billing">;
  platform: Platform;
  timers: TimerWheel;
  log: Log;
  /** Sets money aside for calls. */
  budgets: Omit<BudgetOptions, "settings">;
  /** Ends calls in the books. */
  books: Bookkeeping;
  /** Keeps prompts and answers where installation and key want it. */
  content: Pick<ContentStore, "captureFor" | "statements">;
  /** What callers of the responses protocol come back to. */
  storedResponses: Pick<StoredResponses, "keeperFor" | "read" | "findItems">;
  /** Fetches media from addresses; null where the operator does not allow it. */
  media: MediaFetcher | null;
  /** The limits of the callers' keys. */
  counters: RateCounters;
  /** Each call holds the routes that it began with. */
  channels: Pick<ChannelSet, "hold">;
  /** Reasoning proofs on their way through clients of other families; each account has its own. */
  vaults: Vaults;
  /** What upstreams refused lately and later calls leave out. */
  refusedFields: RefusedFields;
}

/**
 * Gives each call what it works with: the settings of its begin until its end (O1), and all else as it is. Copied without
 * the getter, which would be dear for every call.
 */
export function contextOfCalls<Context extends Pick<RelayContext, "settings">>(
  context: Context,
): () => Omit<Context, "settings"> & Pick<Context, "settings"> {
  const { settings: _current, ...lasting } = context;
  return () => ({ ...lasting, settings: context.settings });
}
