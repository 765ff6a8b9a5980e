import { z } from "zod";
import { duration, size } from "./quantity.ts";

const days = 86_400_000;
const mib = 1024 * 1024;

/** Which answers of the responses protocol are kept for later turns, for how long, and up to which size. */
export const storedResponsesSchema = z.strictObject({
  keep: z.enum(["asked", "default", "never"], { error: "must be asked, default or never" }).default("asked"),
  ttl: duration(30 * days, { min: 60_000, max: 3650 * days }),
  max_bytes: size(8 * mib, { max: 32 * mib }),
});
