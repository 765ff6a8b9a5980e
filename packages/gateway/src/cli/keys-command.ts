import {
  AccessKeyError,
  type AccessKeyInfo,
  type AccessKeys,
  createAccessKeys,
  type LimitChange,
} from "../accounts/access-keys.ts";
import { checkPepper, createPepper } from "../accounts/pepper.ts";
import { loadSecret } from "../accounts/secret.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Platform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { fileOption } from "./config-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { dateText, table } from "./table.ts";

/** Opens the configured database for a task on its access keys, and closes it whatever comes of the task. */
export async function withAccessKeys<Result>(
  config: Config,
  platform: Platform,
  task: (keys: AccessKeys) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(config.database);
  try {
    const secret = loadSecret(config, platform);
    const pepper = createPepper(secret);
    await checkPepper(database, pepper, secret);
    return await task(createAccessKeys({ database, pepper, platform }));
  } finally {
    await database.close();
  }
}

/** `default`: the configuration's own. */
export type LimitArgument = number | "default";

/** The limits of a key as the command line gives them. */
export interface LimitOptions {
  requestsPerMinute?: LimitArgument;
  tokensPerMinute?: LimitArgument;
  concurrency?: LimitArgument;
}

/** Prints the new key alone on standard output, so that a script can take it. */
export async function createKey(
  options: CommonOptions & LimitOptions & { name: string },
  context: CommandContext,
): Promise<void> {
  const { info, key } = await run(options, context, (keys) =>
    keys.create({ name: options.name, limits: limitsOf(options) }),
  );
  context.err(`Access key "${info.name}" (${info.id}). It is shown only now; keep it safe.\n`);
  context.out(`${key}\n`);
}

export async function listKeys(options: CommonOptions, context: CommandContext): Promise<void> {
  const all = await run(options, context, (keys) => keys.list());
  if (all.length === 0) context.err("There is no access key yet: interlingua keys create --name <name>\n");
  else
    context.out(table([["ID", "NAME", "STATE", "DECLARED IN", "LIMITS", "CREATED", "LAST USED"], ...all.map(rowOf)]));
}

export async function setKeyState(
  key: string,
  state: "enabled" | "disabled",
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  const info = await run(options, context, (keys) => keys.setState(key, state));
  context.out(`Access key "${info.name}" (${info.id}) is ${info.state}.\n`);
}

export async function setKeyLimits(
  key: string,
  options: CommonOptions & LimitOptions,
  context: CommandContext,
): Promise<void> {
  const change = limitsOf(options);
  if (Object.keys(change).length === 0) {
    throw new AccessKeyError("Say which limit: --requests-per-minute, --tokens-per-minute or --concurrency");
  }
  const info = await run(options, context, (keys) => keys.setLimits(key, change));
  context.out(`Access key "${info.name}" (${info.id}) has the limits: ${limitText(info)}.\n`);
}

function limitsOf({ requestsPerMinute, tokensPerMinute, concurrency }: LimitOptions): LimitChange {
  const limit = (value: LimitArgument) => (value === "default" ? null : value);
  return {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute: limit(requestsPerMinute) }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute: limit(tokensPerMinute) }),
    ...(concurrency === undefined ? {} : { concurrency: limit(concurrency) }),
  };
}

function limitText({ limits }: AccessKeyInfo): string {
  const text = (value: number | undefined, what: string) => `${value ?? "default"} ${what}`;
  return [
    text(limits.requestsPerMinute, "requests a minute"),
    text(limits.tokensPerMinute, "tokens a minute"),
    text(limits.concurrency, "calls at once"),
  ].join(", ");
}

async function run<Result>(
  options: CommonOptions,
  context: CommandContext,
  task: (keys: AccessKeys) => Promise<Result>,
): Promise<Result> {
  // The local server is of no interest here, and asking it would take time.
  const config = await loadConfig({ ...fileOption(options), env: context.env, localModels: async () => [] });
  return withAccessKeys(config, context.platform, task);
}

function rowOf(info: AccessKeyInfo): string[] {
  const origin = info.origin === "configuration" ? "file" : "-";
  const lastUsed = info.lastUsedAt === null ? "never" : dateText(info.lastUsedAt);
  const { requestsPerMinute: requests, tokensPerMinute: tokens, concurrency } = info.limits;
  const limits = [requests, tokens, concurrency].map((limit) => limit ?? "-").join("/");
  return [info.id, info.name, info.state, origin, limits, dateText(info.createdAt), lastUsed];
}
