import { defineCatalogue } from "../../shared/text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const accountSettingsTexts = defineCatalogue("account-settings", { en, zh });
