import { defineCatalogue } from "../text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const alertTexts = defineCatalogue("alerts", { en, zh });
