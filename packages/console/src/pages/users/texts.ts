import { defineCatalogue } from "../../shared/text.ts";
import { en } from "./text.en.ts";
import { zh } from "./text.zh.ts";

export const usersTexts = defineCatalogue("users", { en, zh });
