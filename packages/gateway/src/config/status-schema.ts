import { z } from "zod";

/** What the public pages show. */
export const statusSchema = z.strictObject({
  channels: z.enum(["names", "numbers", "hidden"], { error: "must be names, numbers or hidden" }).default("names"),
});
