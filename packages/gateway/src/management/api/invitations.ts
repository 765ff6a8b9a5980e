import { z } from "zod";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { ManagementError } from "../failure.ts";
import type { Invitations } from "../invitations.ts";
import type { ManagementCall, ManagementRoute } from "../routes.ts";
import type { SignInThrottle } from "../sign-in-throttle.ts";
import { orUserRefused } from "./user-failure.ts";

export interface InvitationRoutesParts {
  invitations: Invitations;
  throttle: SignInThrottle;
}

const token = z.string().min(1).max(128).describe("What stands behind 'invite=' in the link.");
const common = { tag: "Sign-in", auth: "none", role: "anyone", scope: "self", rate: "sign-in" } as const;

/** By a one-time link whoever was invited sets a password. */
export function invitationRoutes({ invitations, throttle }: InvitationRoutesParts): ManagementRoute[] {
  const take = ({ address }: Pick<ManagementCall, "address">) => {
    const wait = throttle.take(address, undefined);
    if (wait === undefined) return;
    const message = `Too many tries. Wait ${wait} seconds.`;
    throw new ManagementError(429, "too_many_tries", message, { retryAfterSeconds: wait });
  };

  return [
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/invitations/look",
      summary: "Look at an invitation",
      audit: "none",
      body: z.strictObject({ token }),
      answer: z.object({
        email: z.string(),
        name: z.string(),
        purpose: z.enum(["welcome", "reset"]),
        expires_at: timeSchema,
      }),
      async handle(call) {
        take(call);
        const invited = await invitations.find(call.body.token);
        if (!invited) throw badLink();
        throttle.succeeded(call.address, undefined);
        const { email, name, purpose, expiresAt } = invited;
        return { body: { email, name, purpose, expires_at: expiresAt } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/invitations/redeem",
      summary: "Set a password by an invitation",
      description: "The link is used up, and all sessions of the user end. Sign in with the new password then.",
      audit: "user.password_set",
      body: z.strictObject({ token, password: z.string().max(1024) }),
      async handle(call) {
        take(call);
        const { address, body } = call;
        const done = await orUserRefused(
          invitations.redeem(body.token, body.password, ({ actor, ...event }) =>
            call.audit({ ...event, actor: { ...actor, address } }),
          ),
        );
        if (!done) throw badLink();
        throttle.succeeded(address, undefined);
        return {};
      },
    }),
  ];
}

function badLink(): ManagementError {
  const message = "The link is not good any more. Ask whoever sent it to you for a new one.";
  return new ManagementError(403, "bad_invitation", message);
}
