import { z } from "zod";
import type { AccessKeysOptions } from "../../accounts/access-keys.ts";
import { givePlaygroundKey } from "../../accounts/playground-keys.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import type { ManagementRoute } from "../routes.ts";
import { orRefused } from "./accounts-failure.ts";

/** The key that the console's playground calls the gateway with. */
export function playgroundRoutes(parts: AccessKeysOptions): ManagementRoute[] {
  return [
    apiRoute({
      method: "POST",
      path: "/api/v1/accounts/:account/playground-key",
      tag: "Keys",
      summary: "Get a playground key",
      description:
        "A key for what you try out in the console: good for 12 hours, one for each user of an account. Its calls are real ones.",
      role: "member",
      scope: "account",
      tokens: "never",
      audit: "access_key.playground_given",
      answer: z.object({
        id: z.string(),
        secret: z.string().describe("The whole key. It is shown this once."),
        expires_at: timeSchema,
      }),
      secretAnswer: true,
      async handle(call) {
        const { accountId, caller } = call;
        const user = { id: caller.userId, name: caller.name };
        const { id, key, expiresAt } = await orRefused(givePlaygroundKey(parts, { accountId, user }, call));
        return { body: { id, secret: key, expires_at: expiresAt } };
      },
    }),
  ];
}
