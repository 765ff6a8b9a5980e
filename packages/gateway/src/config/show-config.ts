import { stringify } from "yaml";
import type { ChannelConfig, Config } from "./config.ts";

const mask = "***";

/**
 * The effective configuration as YAML for a person to check, with every secret masked: provider credentials, access
 * keys, and header values, which often are credentials (S1).
 */
export function showConfig(config: Config): string {
  const { listen, database, channels, accessKeys, secret, file, notices, ...settings } = config;
  return stringify({
    file: file ?? "none: defaults and environment",
    listen: `${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${listen.port}`,
    database: `${database.kind}:${database.path}`,
    channels: channels.map(showChannel),
    accessKeys: accessKeys.map((key) => ({ ...key, key: mask })),
    secret: secret === null ? "in a file beside the database" : mask,
    ...settings,
    notices,
  });
}

function showChannel(channel: ChannelConfig): object {
  if (channel.sandbox) return channel;
  return {
    ...channel,
    ...(channel.apiKey === undefined ? {} : { apiKey: mask }),
    headers: Object.fromEntries(Object.keys(channel.headers).map((name) => [name, mask])),
  };
}
