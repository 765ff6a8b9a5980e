/** How quickly a provider serves a call, where that has a price of its own. */
export const serviceTiers = ["default", "flex", "priority", "batch"] as const;
export type ServiceTier = (typeof serviceTiers)[number];

/**
 * The tier of the word that a provider wrote into its answer. What means the ordinary service (`standard`, `auto`,
 * `on_demand`), is unknown or is absent counts as `default`.
 */
export function serviceTierOf(word: string | undefined): ServiceTier {
  return serviceTiers.find((tier) => tier === word?.toLowerCase()) ?? "default";
}
