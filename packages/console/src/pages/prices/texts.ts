import { defineCatalogue } from "../../shared/text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const pricesTexts = defineCatalogue("prices", { en, zh });
