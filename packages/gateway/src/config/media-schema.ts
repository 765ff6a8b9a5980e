import { z } from "zod";
import { count, duration, size } from "./quantity.ts";

const mib = 1024 * 1024;

/** Whether media that callers name by addresses are fetched for models that want the bytes, and how far (M2). */
export const mediaSchema = z.strictObject({
  fetch: z.boolean("must be true or false").default(false),
  file_bytes: size(10 * mib, { max: 100 * mib }),
  call_bytes: size(32 * mib, { max: 512 * mib }),
  held_bytes: size(256 * mib),
  files: count(8, { max: 100 }),
  timeout: duration(10_000, { max: 60_000 }),
});
