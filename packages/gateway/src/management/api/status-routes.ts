import type { PriceSource } from "../../catalogue/prices/price-source.ts";
import type { Catalogue } from "../../catalogue/published-models.ts";
import type { StatusSettings } from "../../config/config.ts";
import type { Platform } from "../../platform.ts";
import { createIncidents } from "../../status/incidents.ts";
import { createStatusBoard } from "../../status/status-board.ts";
import type { Database } from "../../storage/database.ts";
import type { ManagementRoute } from "../routes.ts";
import { incidentRoutes } from "./incidents.ts";
import { publicModelRoutes } from "./public-models.ts";
import { publicStatusRoutes } from "./public-status.ts";

export interface StatusRoutesOptions {
  /** Whose reads may take long. */
  database: Database;
  catalogue: Catalogue;
  prices: Pick<PriceSource, "priceOf" | "limitsOf">;
  settings: StatusSettings;
  platform: Platform;
}

/** The public pages' models and status, and the notes that operators put there. */
export function statusRoutes({
  database,
  catalogue,
  prices,
  settings,
  platform,
}: StatusRoutesOptions): ManagementRoute[] {
  const incidents = createIncidents(database, platform);
  const board = createStatusBoard({ database, catalogue, prices, incidents, settings, platform });
  return [
    ...publicModelRoutes({ board }),
    ...publicStatusRoutes({ board }),
    ...incidentRoutes({ incidents, catalogue, board, platform }),
  ];
}
