import { en } from "./text.shared.en.ts";
import { zh } from "./text.shared.zh.ts";
import { defineCatalogue } from "./text.ts";

export const sharedTexts = defineCatalogue("shared", { en, zh });
