import type { ProtocolName } from "@interlingua/protocols";
import type { Database } from "../storage/database.ts";

/** How far an account has come on its way to the first calls. */
export interface Checklist {
  hasKey: boolean;
  hasCall: boolean;
  hasSuccess: boolean;
  /** The client protocols of the first calls. */
  protocols: ProtocolName[];
  /** Everything is done, or the account has had so many calls that nobody needs to be led. */
  done: boolean;
}

/** Who has had so many calls knows the way. */
const manyCalls = 200;

export async function readChecklist({ read }: Pick<Database, "read">, accountId: string): Promise<Checklist> {
  const [key, calls] = await Promise.all([
    read
      .selectFrom("access_key")
      .select("id")
      .where("account_id", "=", accountId)
      .where("purpose", "=", "calls")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst(),
    read
      .selectFrom("call")
      .select(["client_protocol", "outcome"])
      .where("account_id", "=", accountId)
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(manyCalls)
      .execute(),
  ]);
  const protocols = [...new Set(calls.map((call) => call.client_protocol))];
  const hasSuccess = calls.some(({ outcome }) => outcome === "succeeded");
  const done = calls.length === manyCalls || (hasSuccess && protocols.length > 1);
  return { hasKey: key !== undefined, hasCall: calls.length > 0, hasSuccess, protocols, done };
}
