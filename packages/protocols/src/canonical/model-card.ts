/** A published model, as much as the model lists of the four protocols tell. */
export interface ModelCard {
  /** The identifier that callers use. */
  id: string;
  displayName?: string;
  /** Unix seconds. */
  createdAt: number;
  /** Who runs it, in public words; never a host. */
  ownedBy: string;
  maxInputTokens?: number;
  maxOutputTokens?: number;
  /** Usable, but a small trial first is advised. Absent where it is not so. */
  underObservation?: boolean;
}
