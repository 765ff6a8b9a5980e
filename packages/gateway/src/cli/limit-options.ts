import type { Command } from "commander";
import type { LimitChange } from "../accounts/access-key-row.ts";
import type { KeyLimits } from "../config/config.ts";
import { type LimitArgument, limitArgument } from "./arguments.ts";

/** Limits as the command line gives them. */
export interface LimitOptions {
  requestsPerMinute?: LimitArgument;
  tokensPerMinute?: LimitArgument;
  concurrency?: LimitArgument;
}

export function withLimits(command: Command): Command {
  return command
    .option("--requests-per-minute <number>", 'requests a minute, or "default"', limitArgument)
    .option("--tokens-per-minute <number>", 'input and output tokens a minute, or "default"', limitArgument)
    .option("--concurrency <number>", 'calls at once, or "default"', limitArgument);
}

/** The change that the options ask for; undefined where they name no limit. */
export function limitsOf(options: LimitOptions): LimitChange | undefined {
  const { requestsPerMinute, tokensPerMinute, concurrency } = options;
  const limit = (value: LimitArgument) => (value === "default" ? null : value);
  const change = {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute: limit(requestsPerMinute) }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute: limit(tokensPerMinute) }),
    ...(concurrency === undefined ? {} : { concurrency: limit(concurrency) }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}

/** `otherwise` stands for what is not set. */
export function limitText(limits: Partial<KeyLimits>, otherwise: string): string {
  const text = (value: number | undefined, what: string) => `${value ?? otherwise} ${what}`;
  return [
    text(limits.requestsPerMinute, "requests a minute"),
    text(limits.tokensPerMinute, "tokens a minute"),
    text(limits.concurrency, "calls at once"),
  ].join(", ");
}

/** For a column of a table: `60/-/5`. */
export function shortLimits({ requestsPerMinute, tokensPerMinute, concurrency }: Partial<KeyLimits>): string {
  return [requestsPerMinute, tokensPerMinute, concurrency].map((limit) => limit ?? "-").join("/");
}
