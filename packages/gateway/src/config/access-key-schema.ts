import { z } from "zod";
import { ownLimits, setLimits } from "./account-schema.ts";
import { isAddressRange } from "./address-ranges.ts";
import { modelId, nameText } from "./channel-schema.ts";
import { type AccessKeyConfig, highestQuota } from "./config.ts";
import { dollars } from "./dollars.ts";
import { readEnd } from "./instant.ts";

/** A key that the operator brings: long enough not to be guessed, and safe in a header and a query. */
const declaredKey = z
  .string("must be a text")
  .regex(
    /^[A-Za-z0-9._~-]{32,256}$/,
    "must be 32 to 256 letters, digits or any of . _ ~ - (make one with: interlingua keys create)",
  );

const expiry = z.string("must be a date such as 2026-12-31").transform((text, context) => {
  const end = readEnd(text);
  if (end !== undefined) return end;
  context.addIssue({
    code: "custom",
    message: "must be a date such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z",
  });
  return z.NEVER;
});

/** An address, or a range of them. */
export const addressRange = z
  .string("must be a text")
  .refine(isAddressRange, "must be an address such as 192.0.2.7 or a range such as 10.0.0.0/8 or 2001:db8::/32");

/** One entry of `access_keys`. */
export const accessKeySchema = z
  .strictObject({
    name: nameText,
    key: declaredKey,
    account: z.string("must be the name of an account").min(1, "must be the name of an account").optional(),
    lossy: z.enum(["allow", "refuse"], { error: "must be allow or refuse" }).default("allow"),
    expires: expiry.optional(),
    models: z.array(modelId, "must be a list of models").max(1000, "must not hold more than 1000 models").optional(),
    addresses: z
      .array(addressRange, "must be a list of addresses")
      .max(1000, "must not hold more than 1000 addresses")
      .optional(),
    quota: dollars(highestQuota).optional(),
    quota_period: z.enum(["total", "day", "week", "month"], { error: "must be total, day, week or month" }).optional(),
    content_logging: z.boolean("must be true or false").default(false),
    ...ownLimits,
  })
  .refine((key) => key.quota !== undefined || key.quota_period === undefined, {
    path: ["quota_period"],
    message: "has a meaning only together with quota",
  })
  .transform((entry): AccessKeyConfig => {
    const { name, key, account, lossy, expires, models, addresses, quota, quota_period, content_logging, ...own } =
      entry;
    const limits = setLimits(own);
    return {
      name,
      key,
      lossy,
      ...(account === undefined ? {} : { account }),
      ...(Object.keys(limits).length > 0 ? { limits } : {}),
      ...(expires === undefined ? {} : { expiresAt: expires }),
      ...(models === undefined ? {} : { models }),
      ...(addresses === undefined ? {} : { addresses }),
      ...(quota === undefined ? {} : { quota: { amount: quota, period: quota_period ?? "total" } }),
      ...(content_logging ? { contentLogging: true } : {}),
    };
  });
