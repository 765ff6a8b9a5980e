import type { ProofVault } from "@interlingua/protocols";
import type { CallRecorder } from "../calls/call-recorder.ts";
import type { Channel } from "../channels/channel.ts";
import type { Config } from "../config/config.ts";
import type { RateCounters } from "../coordination/rate-counters.ts";
import type { Platform } from "../platform.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";

/** What the relay works with. Made once by the composition root. */
export interface RelayContext {
  settings: Pick<Config, "server" | "limits" | "upstream" | "record">;
  platform: Platform;
  timers: TimerWheel;
  log: Log;
  recorder: CallRecorder;
  /** The limits of the callers' keys. */
  counters: RateCounters;
  channels: readonly Channel[];
  vault: ProofVault;
}
