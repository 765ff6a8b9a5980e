import { StateBadge } from "../../shared/badges.tsx";
import type { Channel } from "./channel-api.ts";

/** How a channel is: what keeps it from calls first, then what was measured, then how it is set. */
export function ChannelState({ channel }: { channel: Channel }) {
  const { state, setting } = channel;
  if (state === "rejected") return <StateBadge state="rejected" />;
  if (setting === "disabled") return <StateBadge state="disabled" />;
  if (state !== "operational") return <StateBadge state={state} />;
  return <StateBadge state={setting} />;
}
