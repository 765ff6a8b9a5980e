import { defineCatalogue } from "../../shared/text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const settingsTexts = defineCatalogue("settings", { en, zh });
