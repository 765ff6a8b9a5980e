import { z } from "zod";
import { maxMoney } from "../catalogue/prices/money.ts";
import { nameText } from "./channel-schema.ts";
import { type AccountConfig, highestLimit, type KeyLimits } from "./config.ts";
import { dollars } from "./dollars.ts";
import { readMarkup } from "./markup.ts";
import { count } from "./quantity.ts";

/** Limits that an account or a key may have. 0 cannot be written: it stands for what the file leaves out. */
export const ownLimits = {
  requests_per_minute: count(0, { max: highestLimit }).optional(),
  tokens_per_minute: count(0, { max: highestLimit }).optional(),
  concurrency: count(0, { max: highestLimit }).optional(),
};

type OwnLimits = { [Limit in keyof typeof ownLimits]?: number | undefined };

/** The limits that the file sets. */
export function setLimits(own: OwnLimits): Partial<KeyLimits> {
  return {
    ...(own.requests_per_minute ? { requestsPerMinute: own.requests_per_minute } : {}),
    ...(own.tokens_per_minute ? { tokensPerMinute: own.tokens_per_minute } : {}),
    ...(own.concurrency ? { concurrency: own.concurrency } : {}),
  };
}

const markup = z.string("must be a percentage such as 10%").transform((text, context) => {
  const ppm = readMarkup(text);
  if (ppm !== undefined) return ppm;
  context.addIssue({ code: "custom", message: "must be a percentage from -100% to 99900%, such as 10% or -2.5%" });
  return z.NEVER;
});

/** One entry of `accounts`. */
export const accountSchema = z
  .strictObject({
    name: nameText,
    billing: z.enum(["prepaid", "postpaid"], { error: "must be prepaid or postpaid" }).default("prepaid"),
    credit_limit: dollars(maxMoney).optional(),
    markup: markup.default(1_000_000),
    ...ownLimits,
  })
  .refine((account) => account.billing === "postpaid" || account.credit_limit === undefined, {
    path: ["credit_limit"],
    message: "can be given to a postpaid account only: a prepaid one has no credit",
  })
  .transform(
    ({ name, billing, credit_limit, markup: markupPpm, ...own }): AccountConfig => ({
      name,
      billing,
      creditLimit: credit_limit ?? null,
      markupPpm,
      limits: setLimits(own),
    }),
  );
