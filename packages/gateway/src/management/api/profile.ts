import { z } from "zod";
import type { Platform } from "../../platform.ts";
import { type Database, expecting, StorageError } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import { notFound } from "../failure.ts";
import type { ManagementRoute } from "../routes.ts";
import { idleSince } from "../session-rules.ts";

export interface ProfileParts {
  database: Database;
  platform: Pick<Platform, "now">;
}

const sessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().describe("Whether it is the one that asks."),
    created_at: timeSchema,
    seen_at: timeSchema.describe("When it was last used, to the minute."),
    expires_at: timeSchema.describe("When it ends, whatever is done meanwhile."),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
  })
  .meta({ id: "Session" });

const passkeySchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    created_at: timeSchema.nullable(),
    synced: z.boolean().describe("Whether it is kept in more than one device."),
  })
  .meta({ id: "Passkey" });

/** No list of one user's is longer. */
const most = 200;

/** What users see and change of themselves. Passwords, second factors and new passkeys are at `/api/auth`. */
export function profileRoutes({ database, platform }: ProfileParts): ManagementRoute[] {
  const { read, build } = database;
  const common = { tag: "Profile", role: "user", scope: "self", tokens: "never" } as const;
  return [
    apiRoute({
      ...common,
      method: "PATCH",
      path: "/api/v1/me",
      summary: "Change my name",
      audit: "user.renamed",
      body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
      async handle({ caller, body, audit }) {
        const change = build
          .updateTable("user")
          .set({ name: body.name, updated_at: platform.now() })
          .where("id", "=", caller.userId);
        const detail = { before: caller.name, after: body.name };
        await database.write([
          expecting(1, change.compile()),
          audit({ target: { kind: "user", id: caller.userId }, accountId: null, detail }),
        ]);
        return {};
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/me/sign-in",
      summary: "Show how I sign in",
      audit: "none",
      answer: z.object({
        password: z.boolean(),
        providers: z.array(z.string()).describe("The outside providers by which the user has signed in."),
        two_factor: z.boolean(),
        passkeys: z.array(passkeySchema),
      }),
      async handle({ caller }) {
        const [ways, passkeys] = await Promise.all([
          read
            .selectFrom("user_credential")
            .select("provider_id")
            .where("user_id", "=", caller.userId)
            .orderBy("provider_id")
            .limit(most)
            .execute(),
          read
            .selectFrom("user_passkey")
            .select(["id", "name", "created_at", "backed_up"])
            .where("user_id", "=", caller.userId)
            .orderBy("id")
            .limit(most)
            .execute(),
        ]);
        const providers = ways.map((way) => way.provider_id);
        return {
          body: {
            password: providers.includes("credential"),
            providers: providers.filter((provider) => provider !== "credential"),
            two_factor: caller.twoFactorEnabled,
            passkeys: passkeys.map(({ backed_up, ...passkey }) => ({ ...passkey, synced: backed_up === 1 })),
          },
        };
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/me/sessions",
      summary: "List my sessions",
      audit: "none",
      answer: z.object({ items: z.array(sessionSchema) }),
      async handle({ caller }) {
        const now = platform.now();
        const rows = await read
          .selectFrom("user_session")
          .select(["id", "created_at", "seen_at", "expires_at", "ip_address", "user_agent"])
          .where("user_id", "=", caller.userId)
          .where("expires_at", ">", now)
          .where("seen_at", ">", idleSince(now))
          .orderBy("seen_at", "desc")
          .limit(most)
          .execute();
        return {
          body: {
            items: rows.map(({ ip_address, ...row }) => ({
              ...row,
              address: ip_address,
              current: row.id === caller.sessionId,
            })),
          },
        };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: "/api/v1/me/sessions/:session",
      summary: "End one of my sessions",
      audit: "session.ended",
      async handle({ caller, params, audit }) {
        const end = build
          .deleteFrom("user_session")
          .where("id", "=", params.session)
          .where("user_id", "=", caller.userId);
        const target = { kind: "session", id: params.session };
        try {
          await database.write([expecting(1, end.compile()), audit({ target, accountId: null })]);
        } catch (error) {
          if (error instanceof StorageError && error.kind === "condition") throw notFound();
          throw error;
        }
        return {};
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/me/sessions/end-others",
      summary: "End all of my other sessions",
      audit: "user.sessions_ended",
      answer: z.object({ ended: z.number().int() }),
      async handle({ caller, audit }) {
        const end = build
          .deleteFrom("user_session")
          .where("user_id", "=", caller.userId)
          .where("id", "!=", caller.sessionId);
        const target = { kind: "user", id: caller.userId };
        const [ended] = await database.write([end.compile(), audit({ target, accountId: null })]);
        return { body: { ended: ended?.changes ?? 0 } };
      },
    }),
  ];
}
