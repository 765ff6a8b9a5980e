/** Interlingua's protocol conversion: pure, without I/O, for servers and browsers alike. */
export * from "./canonical/index.ts";
export { clientField } from "./client-fields.ts";
export type * from "./codec.ts";
export { codecs } from "./codecs.ts";
export * from "./conversion.ts";
export * from "./remote-media.ts";
export {
  type CapabilityKind,
  type CapabilityOverrides,
  type CapabilityValue,
  fitsKind,
} from "./shared/capabilities.ts";
export { EventGate } from "./shared/event-gate.ts";
export { unreadableProof } from "./shared/lost-proofs.ts";
export { plainVault } from "./shared/vault.ts";
