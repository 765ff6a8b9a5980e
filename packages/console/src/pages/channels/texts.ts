import { defineCatalogue, type Say } from "../../shared/text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const channelsTexts = defineCatalogue("channels", { en, zh });
export type ChannelsText = Say<typeof en>;
