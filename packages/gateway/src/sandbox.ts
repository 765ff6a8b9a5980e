import type { AddressedChannel } from "./channels/channel.ts";
import type { Config } from "./config/config.ts";
import type { Platform } from "./platform.ts";

interface Sandbox {
  url: string;
  close(): Promise<void>;
}

/** The simulated provider, loaded only where it is configured. */
export async function startSandbox(platform: Platform): Promise<Sandbox> {
  const { startUpstreamSim } = await import("@interlingua/upstream-sim");
  return startUpstreamSim({ clock: platform.now, ids: () => platform.id("sim"), keepRequests: 0 });
}

/** The channels of the configuration, the sandbox with the address that it has in this process. */
export function addressed(config: Config, sandboxUrl: string | undefined): AddressedChannel[] {
  const channels: AddressedChannel[] = [];
  for (const channel of config.channels) {
    if (!channel.sandbox) channels.push(channel);
    else if (sandboxUrl !== undefined) {
      const { name, protocols, models, status } = channel;
      channels.push({
        name,
        protocols,
        models,
        status,
        sandbox: true,
        baseUrl: sandboxUrl,
        apiKey: "sandbox",
        headers: {},
      });
    }
  }
  return channels;
}
