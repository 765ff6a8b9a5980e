import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { Database } from "../storage/database.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { admit } from "./admission.ts";
import type { Caller, Membership, Role } from "./caller.ts";
import { createRequestMeter } from "./rate-class.ts";
import type { ManagementRoute } from "./routes.ts";

const member = (accountId: string, role: Membership["role"]): Membership => ({
  accountId,
  accountName: accountId,
  role,
});

function callerOf(operator: boolean, memberships: readonly Membership[]): Caller {
  const known = { userId: "usr_1", sessionId: "ses_1", email: "ada@example.com", name: "Ada" };
  return { ...known, operator, twoFactorEnabled: false, memberships };
}

const callers: Readonly<Record<string, Caller | undefined>> = {
  nobody: undefined,
  stranger: callerOf(false, []),
  viewer: callerOf(false, [member("acct_a", "viewer")]),
  member: callerOf(false, [member("acct_a", "member")]),
  owner: callerOf(false, [member("acct_a", "owner")]),
  "owner elsewhere": callerOf(false, [member("acct_b", "owner")]),
  operator: callerOf(true, []),
};

/** The status with which the caller is refused, or `in`. */
async function verdict(
  caller: Caller | undefined,
  route: ManagementRoute,
  account: string,
  { platform = testPlatform(), meter = createRequestMeter(platform.monotonic), authorization = "" } = {},
): Promise<number | "in"> {
  // As much of a request as the decision looks at.
  const message = {
    headers: {
      host: "localhost:8080",
      cookie: "sid=1",
      origin: "http://localhost:8080",
      "x-csrf-token": "good",
      ...(authorization === "" ? {} : { authorization }),
    },
    socket: { remoteAddress: "127.0.0.1" },
    url: "/",
  } as unknown as IncomingMessage;
  try {
    await admit(
      {
        database: {} as Database,
        platform,
        callers: {
          find: async () => caller,
          csrfToken: () => "good",
          isCsrfToken: (_caller, token) => token === "good",
        },
        apiTokens: { find: async () => undefined },
        meter,
        url: null,
      },
      route,
      message,
      { account },
    );
    return "in";
  } catch (error) {
    return error instanceof Error && "status" in error ? Number(error.status) : 0;
  }
}

function routeFor(role: Role, scope: ManagementRoute["scope"]): ManagementRoute {
  const path = scope === "account" ? "/api/v1/accounts/:account/things" : "/api/v1/things";
  const rest = { bodyBytes: 0, rate: "write", audit: "thing.changed", handle: async () => ({}) } as const;
  return { method: "POST", path, auth: "session", role, scope, ...rest };
}

test.each([
  [
    "viewer",
    { nobody: 401, stranger: 404, viewer: "in", member: "in", owner: "in", "owner elsewhere": 404, operator: "in" },
  ],
  [
    "member",
    { nobody: 401, stranger: 404, viewer: 403, member: "in", owner: "in", "owner elsewhere": 404, operator: "in" },
  ],
  [
    "owner",
    { nobody: 401, stranger: 404, viewer: 403, member: 403, owner: "in", "owner elsewhere": 404, operator: "in" },
  ],
  [
    "operator",
    { nobody: 401, stranger: 404, viewer: 403, member: 403, owner: 403, "owner elsewhere": 404, operator: "in" },
  ],
] as const)(
  "S9 A7 a %s's route about an account: who is let in, who is refused, and who learns nothing",
  async (role, expected) => {
    const seen: Record<string, number | "in"> = {};
    for (const [name, caller] of Object.entries(callers))
      seen[name] = await verdict(caller, routeFor(role, "account"), "acct_a");
    expect(seen).toEqual(expected);
  },
);

test("S9 the installation is the operators', what is one's own is everybody's who has signed in", async () => {
  const of = async (route: ManagementRoute) => {
    const entries = Object.entries(callers).map(
      async ([name, caller]) => [name, await verdict(caller, route, "")] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };
  const refused = { nobody: 401, stranger: 403, viewer: 403, member: 403, owner: 403, "owner elsewhere": 403 };
  expect(await of(routeFor("operator", "installation"))).toEqual({ ...refused, operator: "in" });
  const own = { stranger: "in", viewer: "in", member: "in", owner: "in", "owner elsewhere": "in", operator: "in" };
  expect(await of(routeFor("user", "self"))).toEqual({ nobody: 401, ...own });
});

test("S8 who guesses at API tokens is held up by the address, whatever is guessed", async () => {
  const platform = testPlatform();
  const meter = createRequestMeter(platform.monotonic);
  const route = routeFor("user", "self");
  const seen = new Map<number | "in", number>();
  for (let guess = 0; guess < 200; guess += 1) {
    const authorization = `Bearer ilt_${guess}`;
    const status = await verdict(undefined, route, "", { platform, meter, authorization });
    seen.set(status, (seen.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(seen)).toEqual({ 401: 120, 429: 80 });
});
