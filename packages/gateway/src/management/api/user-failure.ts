import { ManagementError, notFound } from "../failure.ts";
import { LastOneError } from "../user-administration.ts";
import { UserError } from "../users.ts";

/** Does what is asked of users; what is refused is answered as the API does. */
export async function orUserRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof LastOneError) throw new ManagementError(409, cause.code, `${cause.message}.`);
    throw cause instanceof UserError ? refusalOf(cause) : cause;
  }
}

function refusalOf({ code, message, field }: UserError): ManagementError {
  const text = `${message.replace(/\.$/, "")}.`;
  switch (code) {
    case "unknown_user":
    case "unknown_account":
      return notFound();
    case "taken":
      return new ManagementError(409, "taken", text, { field });
    case "invalid":
      return new ManagementError(400, "invalid_user", text, { field });
  }
}
