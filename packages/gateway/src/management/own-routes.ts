import { z } from "zod";
import { apiRoute } from "./api-route.ts";
import type { Caller, Callers } from "./caller.ts";
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
  /** Whether users may sign in by e-mail and password now. */
  passwordAllowed: () => boolean;
}

const setupBody = z.strictObject({
  token: z.string().min(1).max(128),
  email: z.string().max(254),
  name: z.string().max(200),
  password: z.string().max(1024),
});

const meSchema = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      operator: z.boolean().describe("Whether the user runs the installation."),
      two_factor_enabled: z.boolean(),
      operator_withheld: z
        .boolean()
        .describe("Whether the user is an operator who has the rights of one once there is a second factor."),
    }),
    memberships: z.array(
      z.object({
        account: z.object({ id: z.string(), name: z.string() }),
        role: z.enum(["viewer", "member", "owner"]),
      }),
    ),
    csrf_token: z.string().describe("For `x-csrf-token`; empty for an API token, which needs none."),
  })
  .meta({ id: "Me" });

/** Setting up, ways to sign in, and who the caller is. */
export function ownRoutes({
  setup,
  callers,
  throttle,
  providers,
  passwordAllowed,
}: OwnRoutesOptions): ManagementRoute[] {
  return [
    apiRoute({
      method: "POST",
      path: "/api/v1/setup",
      tag: "Sign-in",
      summary: "Make the first operator",
      description: "By the one-time link that the gateway prints when it starts without one.",
      auth: "none",
      role: "anyone",
      scope: "installation",
      rate: "sign-in",
      audit: "installation.set_up",
      body: setupBody,
      answer: z.object({ user: z.object({ id: z.string(), email: z.string() }) }),
      status: 201,
      // Gone once there is an operator, whatever the request is like.
      async before() {
        if (!(await setup.open())) throw notFound();
      },
      async handle(call) {
        const { token, ...user } = call.body;
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
            return { body: { user: { id: result.userId, email: result.email } } };
        }
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/sign-in-methods",
      tag: "Sign-in",
      summary: "List ways to sign in",
      auth: "none",
      role: "anyone",
      scope: "self",
      audit: "none",
      answer: z.object({
        password: z.boolean(),
        passkey: z.boolean(),
        providers: z.array(z.object({ id: z.string(), name: z.string() })),
        setup: z.boolean().describe("Whether there is no operator yet, so that the setup link is good."),
      }),
      async handle() {
        const outside = providers.map(({ id, name }) => ({ id, name }));
        return { body: { password: passwordAllowed(), passkey: true, providers: outside, setup: await setup.open() } };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/me",
      tag: "Profile",
      summary: "Tell who I am",
      role: "user",
      scope: "self",
      audit: "none",
      answer: meSchema,
      handle: async ({ caller }) => ({ body: meOf(caller, callers) }),
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/session",
      tag: "Profile",
      summary: "Tell whether somebody is signed in",
      description: "For pages that everybody may see: what `/api/v1/me` tells, or null where that would be refused.",
      auth: "optional",
      role: "anyone",
      scope: "self",
      audit: "none",
      answer: z.object({ me: meSchema.nullable() }),
      handle: async ({ caller }) => ({ body: { me: caller ? meOf(caller, callers) : null } }),
    }),
  ];
}

function meOf(caller: Caller, callers: Pick<Callers, "csrfToken">): z.output<typeof meSchema> {
  const { userId, email, name, operator, operatorWithheld = false, twoFactorEnabled, memberships } = caller;
  return {
    user: {
      id: userId,
      email,
      name,
      operator,
      two_factor_enabled: twoFactorEnabled,
      operator_withheld: operatorWithheld,
    },
    memberships: memberships.map(({ accountId, accountName, role }) => ({
      account: { id: accountId, name: accountName },
      role,
    })),
    csrf_token: caller.token ? "" : callers.csrfToken(caller),
  };
}
