import { AccountsError, type AccountsErrorCode } from "../../accounts/accounts-error.ts";
import { ManagementError, notFound } from "../failure.ts";

const codes: Readonly<Record<Exclude<AccountsErrorCode, "invalid" | "unknown">, string>> = {
  taken: "name_taken",
  ambiguous: "ambiguous",
  final: "revoked",
  declared: "declared_in_configuration",
  refused: "refused",
  conflict: "conflict",
};

/** Does what the accounts' room is asked for; what it refuses is answered as the API does. */
export async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw cause instanceof AccountsError ? refusalOf(cause) : cause;
  }
}

function refusalOf({ code, message, field: setting }: AccountsError): ManagementError {
  const field = setting?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const text = `${message.replace(/\.$/, "")}.`;
  switch (code) {
    case "unknown":
      return notFound();
    case "invalid":
      return new ManagementError(400, "invalid_request", text, { field });
    default:
      return new ManagementError(409, codes[code], text, { field });
  }
}
