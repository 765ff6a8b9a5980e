import { z } from "zod";
import { duration, size } from "./quantity.ts";

const days = 86_400_000;
const kib = 1024;

/** How long calls are kept. */
export const callsSchema = z.strictObject({ retention: duration(400 * days, { min: days, max: 3650 * days }) });

/** The settings of content logging by their names. */
export const contentLoggingSettings = z.strictObject({
  enabled: z.boolean("must be true or false").default(false),
  // Longer than 30 days would break what is promised to those whose content it is (S2).
  retention: duration(7 * days, { min: 60_000, max: 30 * days }),
  max_bytes: size(256 * kib, { max: 4096 * kib }),
});

/** Whether prompts and answers are kept: settings, or `on` or `off` alone. */
export const contentLoggingSchema = z.preprocess((value) => {
  if (value === "on" || value === true) return { enabled: true };
  return value === "off" || value === false ? {} : value;
}, contentLoggingSettings);
