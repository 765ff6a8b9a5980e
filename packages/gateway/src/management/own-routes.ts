import { z } from "zod";
import { readBody } from "./body-schema.ts";
import type { Callers } from "./caller.ts";
import { ManagementError, notFound } from "./failure.ts";
import type { ManagementRoute } from "./routes.ts";
import type { Setup } from "./setup.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";
import { UserError } from "./users.ts";

export interface OwnRoutesOptions {
  setup: Setup;
  callers: Callers;
  throttle: SignInThrottle;
  /** The outside providers that users may sign in at. */
  providers: readonly { id: string; name: string }[];
}

const setupBody = z.strictObject({
  token: z.string().min(1).max(128),
  email: z.string().max(254),
  name: z.string().max(200),
  password: z.string().max(1024),
});

/** The routes of the management API so far. */
export function ownRoutes({ setup, callers, throttle, providers }: OwnRoutesOptions): ManagementRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/setup",
      auth: "none",
      role: "anyone",
      scope: "installation",
      bodyBytes: 65_536,
      rate: "sign-in",
      audit: "installation.set_up",
      async handle(call) {
        // Gone once there is an operator, whatever the request is like.
        if (!(await setup.open())) throw notFound();
        const { token, ...user } = readBody(setupBody, call.body);
        const wait = throttle.take(call.address, undefined);
        if (wait !== undefined) {
          const message = `Too many tries. Wait ${wait} seconds.`;
          throw new ManagementError(429, "too_many_tries", message, { retryAfterSeconds: wait });
        }
        const result = await setup.redeem(token, user, call.actor).catch((error: unknown) => {
          throw error instanceof UserError
            ? new ManagementError(400, "invalid_user", `${error.message.replace(/\.$/, "")}.`, { field: error.field })
            : error;
        });
        switch (result.kind) {
          case "closed":
            throw notFound();
          case "bad-token": {
            const message = "The link is not good any more. Start the gateway again: it prints a new one.";
            throw new ManagementError(403, "bad_setup_token", message);
          }
          case "done":
            throttle.succeeded(call.address, undefined);
            return { status: 201, body: { user: { id: result.userId, email: result.email } } };
        }
      },
    },
    {
      method: "GET",
      path: "/api/v1/sign-in-methods",
      auth: "none",
      role: "anyone",
      scope: "self",
      bodyBytes: 0,
      rate: "read",
      audit: "none",
      async handle() {
        return { body: { password: true, passkey: true, providers: providers.map(({ id, name }) => ({ id, name })) } };
      },
    },
    {
      method: "GET",
      path: "/api/v1/me",
      auth: "session",
      role: "user",
      scope: "self",
      bodyBytes: 0,
      rate: "read",
      audit: "none",
      async handle({ caller }) {
        if (!caller) throw notFound();
        const { userId, email, name, operator, twoFactorEnabled, memberships } = caller;
        return {
          body: {
            user: { id: userId, email, name, operator, two_factor_enabled: twoFactorEnabled },
            memberships: memberships.map(({ accountId, accountName, role }) => ({
              account: { id: accountId, name: accountName },
              role,
            })),
            csrf_token: callers.csrfToken(caller),
          },
        };
      },
    },
  ];
}
