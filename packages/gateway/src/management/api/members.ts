import { z } from "zod";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { ManagementError, notFound } from "../failure.ts";
import { type ListedUser, listUsers } from "../list-users.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import type { UserAdministration } from "../user-administration.ts";
import { orUserRefused } from "./user-failure.ts";
import { accountRoles, authorOf, linkJson, linkSchema } from "./users.ts";

const memberSchema = z
  .object({
    user: z.string().describe("The id of the user."),
    email: z.string(),
    name: z.string(),
    role: z.enum(accountRoles),
    disabled: z.boolean().describe("Disabled by an operator: the user cannot sign in."),
    two_factor_enabled: z.boolean(),
    invited_until: timeSchema.nullable().describe("Until when the link to the first password is good."),
    last_seen_at: timeSchema.nullable(),
  })
  .meta({ id: "Member" });

export interface MemberRoutesParts {
  database: Database;
  platform: Pick<Platform, "now">;
  administration: UserAdministration;
}

const cursors = opaqueCursor(z.tuple([z.string()]));
const common = { tag: "Members", role: "owner", scope: "account", tokens: "never" } as const;
const path = "/api/v1/accounts/:account/members";

/** Who belongs to an account: managed by its owners. Nobody gives a role that is higher than owner, since there is none. */
export function memberRoutes({ database, platform, administration }: MemberRoutesParts): ManagementRoute[] {
  const show = async (accountId: string, id: string) => {
    const [user] = await listUsers(database, { id, accountId, limit: 1, now: platform.now() });
    if (!user) throw notFound();
    return memberJson(user, accountId);
  };

  return [
    apiRoute({
      ...common,
      tokens: "allowed",
      method: "GET",
      path,
      role: "viewer",
      summary: "List members",
      audit: "none",
      query: z.object(pageQuery),
      answer: z.object({ items: z.array(memberSchema), next: nextSchema }),
      async handle({ accountId, query: { cursor, limit } }) {
        const after = cursors.decode(cursor)?.[0];
        const rows = await listUsers(database, { accountId, after, limit: limit + 1, now: platform.now() });
        const member = (user: ListedUser) => memberJson(user, accountId);
        return { body: pageOf(rows, limit, member, cursors, (user) => [user.email] as [string]) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path,
      summary: "Add a member",
      description:
        "Somebody who has no user yet gets one, and the answer holds a link by which to set a password. Who has one belongs " +
        "to the account at once.",
      audit: "user.role_changed",
      body: z.strictObject({
        email: z.string().trim().min(3).max(254),
        name: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .optional()
          .describe("For a new user; the address unless told otherwise."),
        role_in_account: z.enum(accountRoles),
      }),
      answer: z.object({ member: memberSchema, invitation: linkSchema.nullable() }),
      status: 201,
      secretAnswer: true,
      async handle(call) {
        const { accountId } = call;
        const { email, name = email, role_in_account: role } = call.body;
        const known = await database.read
          .selectFrom("user")
          .select("id")
          .where("email", "=", email.toLowerCase())
          .executeTakeFirst();
        if (known) {
          const { userId } = await orUserRefused(administration.addMember(accountId, email, role, call));
          return { body: { member: await show(accountId, userId), invitation: null } };
        }
        const rights = { operator: false, membership: { accountId, role } };
        const link = await orUserRefused(administration.invite({ email, name }, rights, authorOf(call)));
        return { body: { member: await show(accountId, link.userId), invitation: linkJson(call, link) } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: `${path}/:member/invitation`,
      summary: "Invite a member again",
      description: "Only for a member who cannot sign in yet and belongs to this account alone. Earlier links end.",
      audit: "user.reset_link_made",
      answer: linkSchema,
      status: 201,
      secretAnswer: true,
      async handle(call) {
        const { accountId, params } = call;
        const [user] = await listUsers(database, { id: params.member, accountId, limit: 1, now: platform.now() });
        if (!user) throw notFound();
        if (user.canSignIn || user.operator || user.memberships.length > 1) {
          const message = "The member has a way to sign in. Operators help those who have lost theirs.";
          throw new ManagementError(409, "signed_in_before", message);
        }
        return { body: linkJson(call, await orUserRefused(administration.reset(user.id, authorOf(call)))) };
      },
    }),
    apiRoute({
      ...common,
      method: "PATCH",
      path: `${path}/:member`,
      summary: "Change the role of a member",
      description: "Ends the member's sessions. The last owner stays one.",
      audit: "user.role_changed",
      body: z.strictObject({ role_in_account: z.enum(accountRoles) }),
      answer: memberSchema,
      async handle(call) {
        const { accountId, params, body } = call;
        const change = { accountId, userId: params.member, role: body.role_in_account, keepOwner: true };
        if (!(await orUserRefused(administration.setMember(change, call)))) throw notFound();
        return { body: await show(accountId, params.member) };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: `${path}/:member`,
      summary: "Remove a member",
      description:
        "The user stays; what belongs to the account is out of reach at once. The last owner cannot be removed.",
      audit: "user.role_changed",
      async handle(call) {
        const { accountId, params } = call;
        const change = { accountId, userId: params.member, role: null, keepOwner: true };
        if (!(await orUserRefused(administration.setMember(change, call)))) throw notFound();
        return {};
      },
    }),
  ];
}

function memberJson(user: ListedUser, accountId: string): z.input<typeof memberSchema> {
  const membership = user.memberships.find((each) => each.accountId === accountId);
  if (!membership) throw notFound();
  return {
    user: user.id,
    email: user.email,
    name: user.name,
    role: membership.role,
    disabled: user.disabledAt !== null,
    two_factor_enabled: user.twoFactorEnabled,
    // A link for a password that was lost is the operators' business.
    invited_until: user.canSignIn ? null : user.invitedUntil,
    last_seen_at: user.lastSeenAt,
  };
}
