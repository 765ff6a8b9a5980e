import type { Config } from "../../config/config.ts";
import type { SeedCatalogue } from "./seed.ts";

/** The data of known models, where a channel leads to a real provider; undefined for the sandbox alone. */
export async function loadSeed({ channels }: Pick<Config, "channels">): Promise<SeedCatalogue | undefined> {
  if (channels.every(({ sandbox }) => sandbox)) return undefined;
  const { loadSeedCatalogue } = await import("./seed.ts");
  return loadSeedCatalogue();
}
