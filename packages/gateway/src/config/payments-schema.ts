import { z } from "zod";
import type { PaymentProvider } from "./config.ts";
import { duration } from "./quantity.ts";

const provider = z.strictObject({
  scheme: z.enum(["stripe", "hmac"], { error: "must be stripe or hmac" }),
  secret: z
    .string("must be a text")
    .min(16, "must have 16 characters at least")
    .max(512, "must not be longer than 512"),
  tolerance: duration(5 * 60_000, { min: 1000, max: 60 * 60_000 }),
});

/** Providers that tell of payments, by the name under which they call: `/webhooks/<name>`. */
export const paymentsSchema = z.strictObject({
  providers: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be 1 to 32 small letters, digits or hyphens"), provider)
    .default({})
    .transform((entries): PaymentProvider[] =>
      Object.entries(entries).map(([name, { scheme, secret, tolerance }]) => ({
        name,
        scheme,
        secret,
        toleranceMs: tolerance,
      })),
    ),
});
