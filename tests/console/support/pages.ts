import { accountIds } from "../../../bench/installation/accounts.ts";
import type { Person } from "../../../bench/installation/people.ts";
import type { SceneData } from "./scene.ts";
import { cookieHeader } from "./session.ts";

/** A page of the console, as somebody who may see it opens it. */
export interface ConsolePage {
  /** Names its test and its picture. */
  name: string;
  path: string;
  as: Person | "nobody";
}

/** Every page there is, with the things of the seeded installation in its address. */
export async function consolePages(scene: Pick<SceneData, "address" | "sessions">): Promise<ConsolePage[]> {
  const large = `/a/${accountIds.large}`;
  const call = await keptCall(scene);
  const page = (name: string, path: string, as: ConsolePage["as"]): ConsolePage => ({ name, path, as });
  return [
    page("sign-in", "/sign-in", "nobody"),
    page("setup", "/setup", "nobody"),
    page("models", "/models", "nobody"),
    page("status", "/status", "nobody"),
    page("home", `${large}/home`, "owner"),
    page("first-run", `/a/${accountIds.empty}/home`, "newcomer"),
    page("connect", `${large}/connect`, "owner"),
    page("keys", `${large}/keys`, "owner"),
    page("no-keys", `/a/${accountIds.empty}/keys`, "newcomer"),
    page("calls", `${large}/calls`, "owner"),
    page("no-calls", `/a/${accountIds.empty}/calls`, "newcomer"),
    page("call", `${large}/calls/${call}`, "owner"),
    page("wires", `${large}/calls/${call}?wire=1`, "owner"),
    page("usage", `${large}/usage`, "owner"),
    page("balance", `${large}/balance`, "owner"),
    page("playground", `${large}/playground`, "owner"),
    page("account-settings", `${large}/settings`, "owner"),
    page("profile", "/profile", "owner"),
    page("operator-home", "/operator/home", "operator"),
    page("operator-calls", "/operator/calls", "operator"),
    page("operator-call", `/operator/calls/${call}`, "operator"),
    page("operator-usage", "/operator/usage", "operator"),
    page("channels", "/operator/channels", "operator"),
    page("routing", "/operator/routing", "operator"),
    page("accounts", "/operator/accounts", "operator"),
    page("account", `/operator/accounts/${accountIds.middle}`, "operator"),
    page("users", "/operator/users", "operator"),
    page("prices", "/operator/prices", "operator"),
    page("audit", "/operator/audit", "operator"),
    page("settings", "/operator/settings", "operator"),
  ];
}

/** A call that was converted and whose content is kept: the last ones of the large account were made to be looked at. */
async function keptCall({ address, sessions }: Pick<SceneData, "address" | "sessions">): Promise<string> {
  const list = await fetch(`${address}/api/v1/accounts/${accountIds.large}/calls?limit=20`, {
    headers: { cookie: cookieHeader(sessions.owner) },
  });
  if (!list.ok) throw new Error(`The calls cannot be listed: ${list.status} ${await list.text()}`);
  // As the API's document says.
  const { items } = (await list.json()) as { items: { id: string; lane: string | null; outcome: string }[] };
  const call = items.find(({ lane, outcome }) => lane === "converted" && outcome === "succeeded") ?? items[0];
  if (!call) throw new Error("The account has no calls");
  return call.id;
}
