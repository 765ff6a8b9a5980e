import { z } from "zod";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { ManagementError, notFound } from "../failure.ts";
import { type ListedUser, listUsers } from "../list-users.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementCall, ManagementRoute } from "../routes.ts";
import type { IssuedLink, UserAdministration } from "../user-administration.ts";
import { mayBeUnchanged } from "./may-be-unchanged.ts";
import { orUserRefused } from "./user-failure.ts";

export const accountRoles = ["viewer", "member", "owner"] as const;

export const linkSchema = z
  .object({
    user: z.string().describe("The id of the user."),
    link: z.string().describe("Where the user sets a password. It is good once, and shown this once."),
    expires_at: timeSchema,
  })
  .meta({ id: "PasswordLink" });

const userSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    operator: z.boolean(),
    disabled_at: timeSchema.nullable(),
    created_at: timeSchema,
    two_factor_enabled: z.boolean(),
    can_sign_in: z.boolean().describe("Whether there is a password, a passkey or an outside provider yet."),
    invited_until: timeSchema
      .nullable()
      .describe("Until when a link to set a password is good; null where there is none."),
    last_seen_at: timeSchema.nullable(),
    sessions: z.number().int(),
    memberships: z.array(
      z.object({ account: z.object({ id: z.string(), name: z.string() }), role: z.enum(accountRoles) }),
    ),
  })
  .meta({ id: "User" });

export interface UserRoutesParts {
  database: Database;
  platform: Pick<Platform, "now">;
  administration: UserAdministration;
}

const cursors = opaqueCursor(z.tuple([z.string()]));
const common = { tag: "Users", role: "operator", scope: "installation", tokens: "never" } as const;
const email = z.string().trim().min(3).max(254);
const name = z.string().trim().min(1).max(100);

/** The users of the installation, as operators manage them. */
export function userRoutes({ database, platform, administration }: UserRoutesParts): ManagementRoute[] {
  const show = async (id: string) => {
    const [user] = await listUsers(database, { id, limit: 1, now: platform.now() });
    if (!user) throw notFound();
    return userJson(user);
  };

  return [
    apiRoute({
      ...common,
      tokens: "allowed",
      method: "GET",
      path: "/api/v1/users",
      summary: "List users",
      description: "By their addresses. A search finds addresses and names by their first letters.",
      audit: "none",
      query: z.object({
        ...pageQuery,
        search: z.string().trim().min(1).max(254).optional(),
        operator: z.stringbool().optional(),
        disabled: z.stringbool().optional(),
        two_factor: z.stringbool().optional(),
        account: z.string().max(128).optional().describe("The id of an account to which they belong."),
      }),
      answer: z.object({ items: z.array(userSchema), next: nextSchema }),
      async handle({ query }) {
        const { cursor, limit, search, operator, disabled, two_factor: twoFactor, account: accountId } = query;
        const after = cursors.decode(cursor)?.[0];
        const filter = { search, operator, disabled, twoFactor, accountId, after, now: platform.now() };
        const rows = await listUsers(database, { ...filter, limit: limit + 1 });
        return { body: pageOf(rows, limit, userJson, cursors, (user) => [user.email] as [string]) };
      },
    }),
    apiRoute({
      ...common,
      tokens: "allowed",
      method: "GET",
      path: "/api/v1/users/:user",
      summary: "Show a user",
      audit: "none",
      answer: userSchema,
      handle: async ({ params }) => ({ body: await show(params.user) }),
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/users",
      summary: "Invite a user",
      description: "Makes a user without a password. The link in the answer is for the user, who sets one by it.",
      audit: "user.invited",
      body: z.strictObject({
        email,
        name,
        is_operator: z.boolean().default(false).describe("Whether the user may do everything in the installation."),
        membership: z.strictObject({ account: z.string().max(128), role_in_account: z.enum(accountRoles) }).optional(),
      }),
      answer: linkSchema,
      status: 201,
      secretAnswer: true,
      async handle(call) {
        const { email: address, name: called, is_operator: operator, membership } = call.body;
        const rights = {
          operator,
          membership: membership && { accountId: membership.account, role: membership.role_in_account },
        };
        if (membership) await accountThere(database, membership.account);
        const invited = administration.invite({ email: address, name: called }, rights, authorOf(call));
        return { body: linkJson(call, await orUserRefused(invited)) };
      },
    }),
    apiRoute({
      ...common,
      method: "PATCH",
      path: "/api/v1/users/:user",
      summary: "Change a user",
      description:
        "Disabling ends all sessions and API tokens. The last operator who can sign in is neither disabled nor demoted. One " +
        "thing at a time.",
      audit: "user.changed",
      body: z
        .strictObject({ disabled: z.boolean().optional(), is_operator: z.boolean().optional() })
        .refine((body) => Object.keys(body).length === 1, "must name one thing to change"),
      answer: userSchema,
      async handle(call) {
        const { user } = call.params;
        const { disabled, is_operator: operator } = call.body;
        if (disabled !== undefined) await orUserRefused(administration.setDisabled(user, disabled, call));
        if (operator !== undefined) await orUserRefused(administration.setOperator(user, operator, call));
        return { body: await show(user) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/users/:user/password-link",
      summary: "Make a link to set a password",
      description:
        "Ends the user's sessions and earlier links. The password there is stays good until the link is used.",
      audit: "user.reset_link_made",
      answer: linkSchema,
      status: 201,
      secretAnswer: true,
      async handle(call) {
        return { body: linkJson(call, await orUserRefused(administration.reset(call.params.user, authorOf(call)))) };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: "/api/v1/users/:user/second-factor",
      summary: "Remove the second factor of a user",
      description: "For a user who has lost it. Ends the user's sessions.",
      audit: "user.second_factor_removed",
      async handle(call) {
        await orUserRefused(administration.removeTwoFactor(call.params.user, call));
        return {};
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: "/api/v1/users/:user/sessions",
      summary: "End the sessions of a user",
      audit: "user.sessions_ended",
      async handle(call) {
        const { id, email: address } = await show(call.params.user);
        await database.write([
          database.build.deleteFrom("user_session").where("user_id", "=", id).compile(),
          call.audit({ target: { kind: "user", id }, accountId: null, detail: { email: address } }),
        ]);
        return {};
      },
    }),
    apiRoute({
      ...common,
      method: "PUT",
      path: "/api/v1/users/:user/memberships/:membership",
      summary: "Give a user a role in an account",
      description: "The last part of the path is the id of the account.",
      audit: "user.role_changed",
      body: z.strictObject({ role_in_account: z.enum(accountRoles) }),
      answer: userSchema,
      async handle(call) {
        const { user, membership: accountId } = call.params;
        const { role_in_account: role } = call.body;
        const { email: address } = await show(user);
        await accountThere(database, accountId);
        const change = { accountId, userId: user, role, keepOwner: false };
        const changed = await orUserRefused(administration.setMember(change, call));
        if (!changed) await orUserRefused(administration.addMember(accountId, address, role, call));
        mayBeUnchanged(call);
        return { body: await show(user) };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: "/api/v1/users/:user/memberships/:membership",
      summary: "Take a user out of an account",
      audit: "user.role_changed",
      async handle(call) {
        const { user, membership: accountId } = call.params;
        const change = { accountId, userId: user, role: null, keepOwner: false };
        if (!(await orUserRefused(administration.setMember(change, call)))) throw notFound();
        return {};
      },
    }),
  ];
}

/** The caller as the author of a change, and as the one who made a link. */
export function authorOf<Call extends Pick<ManagementCall, "audit" | "actor">>(call: Call) {
  return { audit: call.audit, createdBy: call.actor.id };
}

/** The link as the user is given it. */
export function linkJson(
  { origin }: Pick<ManagementCall, "origin">,
  { userId, token, expiresAt }: IssuedLink,
): z.input<typeof linkSchema> {
  return { user: userId, link: `${origin}/setup#invite=${token}`, expires_at: expiresAt };
}

async function accountThere({ read }: Pick<Database, "read">, id: string): Promise<void> {
  const account = await read.selectFrom("account").select("id").where("id", "=", id).executeTakeFirst();
  if (!account) throw new ManagementError(400, "unknown_account", `There is no account ${id}.`, { field: "account" });
}

function userJson(user: ListedUser): z.input<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    operator: user.operator,
    disabled_at: user.disabledAt,
    created_at: user.createdAt,
    two_factor_enabled: user.twoFactorEnabled,
    can_sign_in: user.canSignIn,
    invited_until: user.invitedUntil,
    last_seen_at: user.lastSeenAt,
    sessions: user.sessions,
    memberships: user.memberships.map(({ accountId, accountName, role }) => ({
      account: { id: accountId, name: accountName },
      role,
    })),
  };
}
