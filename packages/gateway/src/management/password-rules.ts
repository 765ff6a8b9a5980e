import { isCommonPassword } from "./common-passwords.ts";

export const passwordLength = { least: 12, most: 128 };

/**
 * What is wrong with a new password, in a sentence for the one who chose it; undefined for a good one. Length and
 * commonness alone count: no rules on what it is made of (ASVS 5.0, V6.2). `own`: the user's name and address.
 */
export function passwordProblem(password: string, own: readonly string[]): string | undefined {
  const length = [...password].length;
  if (length < passwordLength.least) return `The password must have at least ${passwordLength.least} characters.`;
  if (password.length > passwordLength.most) return `The password must have at most ${passwordLength.most} characters.`;
  if (isCommonPassword(password, own))
    return "The password is one of those that are guessed first; choose another one.";
  return undefined;
}
