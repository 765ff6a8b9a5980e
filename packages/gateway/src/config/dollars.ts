import { z } from "zod";
import { formatDollars, MoneyError, parseDollars } from "../catalogue/prices/money.ts";

/** Dollars from zero on, as a text or a number: `12.50`, read as nano-dollars. A number goes by its shortest decimal form. */
export function dollars(max: bigint) {
  return z
    .custom<string | number>(
      (value) => typeof value === "string" || typeof value === "number",
      "must be dollars, such as 12.50",
    )
    .transform((value, context) => {
      const refuse = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      try {
        const amount = parseDollars(String(value));
        if (amount >= 0n && amount <= max) return amount;
        return refuse(`must be from $0.00 to ${formatDollars(max)}`);
      } catch (error) {
        if (!(error instanceof MoneyError)) throw error;
        return refuse("must be dollars, such as 12.50");
      }
    });
}

/** Nano-dollars as the file spells them: `12.50`. */
export function showDollars(amount: bigint): string {
  return formatDollars(amount).replace("$", "");
}
