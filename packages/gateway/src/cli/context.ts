import type { Config } from "../config/config.ts";
import type { Environment } from "../config/substitute-environment.ts";
import type { Platform } from "../platform.ts";
import type { Log } from "../telemetry/log.ts";

/** What a command takes from the process that runs it. */
export interface CommandContext {
  env: Environment;
  platform: Platform;
  /** What was asked for. */
  out(text: string): void;
  /** What a person should know beside it. */
  err(text: string): void;
  /** All of standard input; absent where there is none. */
  input?(): Promise<string>;
  /** Builds the gateway and listens. Apart from the commands, most of which need none of it. */
  start(options: { config: Config; platform: Platform; log: Log }): Promise<ServedGateway>;
  /** Calls back with each signal that asks the process to end, and with each error that nobody caught. */
  onEnd(listener: (cause: EndCause) => void): void;
}

export type EndCause = { type: "signal"; signal: string } | { type: "crash"; error: unknown };

/** A gateway that is listening, as the command line sees it. */
export interface ServedGateway {
  /** Base address, for example `http://127.0.0.1:8080`. */
  address: string;
  /** Takes no new calls, lets running ones finish for `drainMs`, ends the rest, and resolves when all is recorded. */
  close(options?: { drainMs?: number }): Promise<void>;
  /** Resolves when the gateway cannot go on, for example since its database failed (D6). Never rejects. */
  failed?: Promise<Error>;
}

/** Options that every command understands. */
export interface CommonOptions {
  config?: string;
}
