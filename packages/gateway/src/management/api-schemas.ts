import { z } from "zod";

/** An amount of money in an answer: nano-dollars (1 USD = 1,000,000,000) as decimal text, since JSON's numbers are not exact. */
export const moneySchema = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]*)$/)
  .describe("Nano-dollars as decimal text: 1 USD is 1000000000.");

/** A moment in an answer. */
export const timeSchema = z.number().int().describe("Unix time in milliseconds.");
