import { defineCatalogue, type Say } from "../../shared/text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const routingTexts = defineCatalogue("routing", { en, zh });
export type RoutingText = Say<typeof en>;
