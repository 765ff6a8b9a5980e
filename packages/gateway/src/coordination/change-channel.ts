/**
 * Tells other gateways at once that the change sequence has grown (A1, A2). Only a hint to look there now: it may be lost,
 * or come twice, or for nothing. The look by the clock stays.
 */
export interface ChangeChannel {
  /** Tells all gateways, this one too. To be called after the commit. Never throws, and nobody waits for it. */
  publish(): void;
  /** Calls the listener at every hint, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** For a gateway that is alone: there is nobody to tell. */
export function createProcessChangeChannel(): ChangeChannel {
  return { publish: () => undefined, onChange: () => () => undefined };
}
