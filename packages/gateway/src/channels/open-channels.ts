import type { Config } from "../config/config.ts";
import type { ChangeChannel } from "../coordination/change-channel.ts";
import { createFollower } from "../follower.ts";
import type { Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { createSealer, type Sealer } from "../storage/sealed-value.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import type { AddressedChannel } from "./channel.ts";
import { readChannelRow } from "./channel-rows.ts";
import { type ChannelSet, createChannelSet } from "./channel-set.ts";
import { createOutboundGuard, type Network, type OutboundGuard } from "./outbound-guard.ts";
import { resealChannels } from "./reseal-channels.ts";
import { readRuleRow } from "./rule-rows.ts";

/** A channel or rule that stands in the database and does not hold, and why (O2). */
interface Rejected {
  kind: "channel" | "rule";
  /** A channel's name, a rule's id. */
  id: string;
  reason: string;
}

/** The channels of the configuration and those that operators make while the gateway runs. */
export interface LiveChannels {
  readonly set: ChannelSet;
  /** What the configuration declares. */
  readonly configured: readonly AddressedChannel[];
  readonly rejected: readonly Rejected[];
  readonly guard: OutboundGuard;
  readonly sealer: Sealer;
  /**
   * To be called when channels or rules were changed, here or on another gateway. Resolves when those that hold are at least
   * as new as this call; never rejects: where the database cannot be read, those before hold on, and it is tried again.
   */
  look(): Promise<void>;
  /** Tells all gateways that the change sequence has grown, and looks. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenChannelsOptions {
  database: Database;
  config: Pick<Config, "upstream" | "limits" | "outbound" | "capabilities">;
  configured: readonly AddressedChannel[];
  platform: Pick<Platform, "randomBytes">;
  /** The installation's secret. */
  secret: Uint8Array;
  /** Those before it. */
  formerSecrets?: readonly Uint8Array[] | undefined;
  timers: Pick<TimerWheel, "after">;
  log: Pick<Log, "warn">;
  hint: Pick<ChangeChannel, "publish">;
  network?: Network | undefined;
}

/** Opens all channels. Rejects with a StorageError when those of the database cannot be read. */
export async function openChannels(options: OpenChannelsOptions): Promise<LiveChannels> {
  const { database, config, configured, platform, timers, log, hint } = options;
  const guard = createOutboundGuard({ settings: config.outbound, ...options.network });
  const sealer = createSealer({
    secret: options.secret,
    formerSecrets: options.formerSecrets,
    purpose: "channel credentials",
    randomBytes: platform.randomBytes,
  });
  const set = createChannelSet({ settings: config, guard, random: fractions(platform.randomBytes), log });
  const taken = new Set(configured.map(({ name }) => name));
  let rejected: readonly Rejected[] = [];

  const read = async () => {
    const [channelRows, ruleRows] = await Promise.all([
      database.read.selectFrom("channel").selectAll().orderBy("name").execute(),
      database.read
        .selectFrom("routing_rule")
        .selectAll()
        .where("enabled", "=", 1)
        .orderBy("position")
        .orderBy("id")
        .execute(),
    ]);
    const channels = channelRows.map((row) => readChannelRow(row, { sealer, guard, taken }));
    const rules = ruleRows.map(readRuleRow);
    const found: Rejected[] = [
      ...channels.flatMap((each) =>
        each.ok ? [] : [{ kind: "channel" as const, id: each.name, reason: each.reason }],
      ),
      ...rules.flatMap((each) => (each.ok ? [] : [{ kind: "rule" as const, id: each.id, reason: each.reason }])),
    ];
    for (const { kind, id, reason } of found) {
      if (rejected.some((old) => old.kind === kind && old.id === id && old.reason === reason)) continue;
      log.warn("config_rejected: a channel or rule of the database does not hold", { channel: id, reason });
    }
    rejected = found;
    set.replace(
      [...configured, ...channels.flatMap((each) => (each.ok ? [each.entry] : []))],
      rules.flatMap((each) => (each.ok ? [each.rule] : [])),
    );
  };

  const failed = "the channels could not be read again; those before hold on";
  const follower = createFollower({ reload: read, failed, timers, log });

  if (options.formerSecrets) await resealChannels(database, sealer);
  await read();
  return {
    set,
    configured,
    get rejected() {
      return rejected;
    },
    guard,
    sealer,
    look: follower.look,
    changed() {
      hint.publish();
      return follower.look();
    },
    close() {
      follower.close();
      return set.close();
    },
  };
}

/** Numbers in [0, 1): one call into the random source serves many of them. */
function fractions(randomBytes: (size: number) => Uint8Array): () => number {
  let drawn: readonly number[] = [];
  let used = 0;
  return () => {
    if (used === drawn.length) {
      const bytes = Buffer.from(randomBytes(1024));
      drawn = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4) / 2 ** 32);
      used = 0;
    }
    return drawn[used++] ?? 0;
  };
}
