import type { CapabilityOverrides, ProtocolName } from "@interlingua/protocols";

/** What an operator says of models, over what the gateway knows of them. */
export interface CapabilityEntry {
  /** The upstream's own name, or a pattern with `*`. */
  model: string;
  protocol: ProtocolName;
  /** Absent: on all channels. */
  channel?: string;
  set: CapabilityOverrides;
}
