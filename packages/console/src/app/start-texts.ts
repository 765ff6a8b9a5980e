import { startTexts } from "../shared/text.ts";

// Imported before everything that has texts.
startTexts();
