import { z } from "zod";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import type { ApiTokenInfo, ApiTokens } from "../api-tokens.ts";
import type { ManagementRoute } from "../routes.ts";

const roles = ["viewer", "member", "owner", "operator"] as const;

const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    tail: z.string().describe("The token's last four characters."),
    access: z.enum(["read", "write"]).describe("`read`: GET alone."),
    role: z.enum(roles).describe("The most that it may be, whatever its user is; never more than its user is."),
    account_ids: z.array(z.string()).nullable().describe("The accounts it is for; null: the whole installation."),
    created_at: timeSchema,
    expires_at: timeSchema.nullable(),
    last_used_at: timeSchema.nullable().describe("Unix time in milliseconds, to the minute."),
  })
  .meta({ id: "ApiToken" });

const newTokenSchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  access: z.enum(["read", "write"]),
  role: z.enum(roles),
  account_ids: z
    .array(z.string().max(64))
    .min(1)
    .max(100)
    .nullable()
    .describe("Null for the role `operator`, a list for all others."),
  expires_at: timeSchema.nullable(),
});

/** API tokens of the one who has signed in. No token makes, sees or revokes tokens. */
export function apiTokenRoutes(tokens: ApiTokens): ManagementRoute[] {
  const path = "/api/v1/me/api-tokens";
  return [
    apiRoute({
      method: "GET",
      path,
      tag: "Profile",
      summary: "List my API tokens",
      role: "user",
      scope: "self",
      audit: "none",
      tokens: "never",
      answer: z.object({ items: z.array(tokenSchema) }),
      handle: async ({ caller }) => ({ body: { items: (await tokens.list(caller.userId)).map(shown) } }),
    }),
    apiRoute({
      method: "POST",
      path,
      tag: "Profile",
      summary: "Make an API token",
      description: "The token is told this once.",
      role: "user",
      scope: "self",
      audit: "api_token.created",
      tokens: "never",
      body: newTokenSchema,
      answer: tokenSchema.extend({ token: z.string().describe("Send it as `authorization: Bearer …`.") }),
      status: 201,
      async handle({ caller, body, audit }) {
        const { name, access, role, account_ids, expires_at } = body;
        const wanted = { name, access, role, accountIds: account_ids, expiresAt: expires_at };
        const { token, info } = await tokens.create(caller, wanted, audit);
        return { body: { ...shown(info), token } };
      },
    }),
    apiRoute({
      method: "DELETE",
      path: `${path}/:token`,
      tag: "Profile",
      summary: "Revoke an API token",
      role: "user",
      scope: "self",
      audit: "api_token.revoked",
      tokens: "never",
      async handle({ caller, params, audit }) {
        await tokens.revoke(caller.userId, params.token, audit);
        return {};
      },
    }),
  ];
}

function shown(info: ApiTokenInfo): z.output<typeof tokenSchema> {
  return {
    id: info.id,
    name: info.name,
    tail: info.tail,
    access: info.access,
    role: info.role,
    account_ids: info.accountIds === null ? null : [...info.accountIds],
    created_at: info.createdAt,
    expires_at: info.expiresAt,
    last_used_at: info.lastUsedAt,
  };
}
