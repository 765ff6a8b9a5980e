import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { withUsers } from "../../packages/gateway/src/cli/users-command.ts";
import { systemPlatform } from "../../packages/gateway/src/platform.ts";
import { cookieHeader, signIn } from "../console/support/session.ts";
import type { TestGateway } from "../support/gateway.ts";

/** Moves all calls from one family to another, as an operator does: by a routing rule of the console. */
export interface FamilySwitch {
  /** Holds for every call after it. */
  to(family: ProtocolName): Promise<void>;
}

const operator = { email: "operator@example.com", name: "Operator", password: "a long and good one" };

/** For a gateway that runs, with a channel of each family that bears the family's name. */
export async function openFamilySwitch({ config, caller }: TestGateway): Promise<FamilySwitch> {
  const actor = { kind: "command", id: null, name: "command line", address: null } as const;
  await withUsers(config, systemPlatform(), ({ users }) => users.create(operator, { operator: true }, actor));
  const session = await signIn(caller.url, operator);
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${caller.url}/api/v1/routing-rules${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        origin: caller.url,
        cookie: cookieHeader(session),
        "x-csrf-token": session.csrfToken,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The rule is refused: ${answer.status} ${await answer.text()}`);
    // The shape that the API's document names.
    return (await answer.json()) as { id: string; version: number };
  };
  const action = (family: ProtocolName) => ({ kind: "only", channels: [family] });
  let rule = await send("POST", "", { action: action(protocolNames[0]) });
  return {
    async to(family) {
      rule = await send("PATCH", `/${rule.id}`, { version: rule.version, action: action(family) });
    },
  };
}
