import { z } from "zod";
import type { AccessKeyInfo } from "../../accounts/access-key-row.ts";
import { accessKeyUsage } from "../../accounts/access-key-usage.ts";
import type { AccessKeys } from "../../accounts/access-keys.ts";
import { listAccessKeys } from "../../accounts/list-access-keys.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { ManagementError, notFound } from "../failure.ts";
import { nextSchema, opaqueCursor, pageQuery } from "../paging.ts";
import type { ManagementCall, ManagementRoute } from "../routes.ts";
import { orRefused } from "./accounts-failure.ts";
import {
  changedKeyBody,
  keyJson,
  keySchema,
  keyStates,
  keyWithSecretSchema,
  newKeyBody,
  settingsOf,
} from "./key-schemas.ts";

export interface KeyRoutesParts {
  database: Database;
  keys: AccessKeys;
  platform: Pick<Platform, "now">;
}

/** Days of which a list tells what each key did. */
const shownDays = 7;

/** The former secret of a rotation stays good for at most so long. */
const longestGraceMs = 30 * 24 * 3_600_000;

const cursors = opaqueCursor(z.tuple([z.union([z.string(), z.number()]), z.string()]));
const terminate = z
  .boolean()
  .default(false)
  .describe("End running calls of the key at once, by an error; else they finish.");

const common = { tag: "Keys", scope: "account", role: "member" } as const;
const path = "/api/v1/accounts/:account/keys";

/** The access keys of an account. */
export function keyRoutes({ database, keys, platform }: KeyRoutesParts): ManagementRoute[] {
  const withUsage = async (accountId: string, infos: readonly AccessKeyInfo[]) => {
    const now = platform.now();
    const usage = await accessKeyUsage(database, { accountId, keys: infos, days: shownDays, now });
    return infos.map((info) => keyJson(info, usage.get(info.id)));
  };
  const one = async (accountId: string, info: AccessKeyInfo) => {
    const [key] = await withUsage(accountId, [info]);
    if (!key) throw notFound();
    return key;
  };

  return [
    apiRoute({
      ...common,
      method: "GET",
      path,
      role: "viewer",
      summary: "List access keys",
      description: "A search finds names and public ids by their begin, and is ordered by name.",
      audit: "none",
      query: z.object({
        ...pageQuery,
        search: z.string().trim().min(1).max(100).optional(),
        state: z.enum(keyStates).optional().describe("Unless told otherwise, all but those that are revoked."),
        purpose: z.enum(["calls", "playground"]).default("calls"),
        sort: z.enum(["newest", "name", "used"]).default("newest"),
      }),
      answer: z.object({ items: z.array(keySchema), next: nextSchema }),
      async handle({ accountId, query }) {
        const { cursor, sort: order, ...filter } = query;
        const position = cursors.decode(cursor);
        // A place is of the same type as what the list is ordered by.
        const isText = order === "name" || filter.search !== undefined;
        if (position && (typeof position[0] === "string") !== isText) {
          throw new ManagementError(400, "invalid_cursor", "The cursor is none of this list.", { field: "cursor" });
        }
        const page = await listAccessKeys(database, {
          ...filter,
          accountId,
          order,
          after: position && { place: position[0], id: position[1] },
          now: platform.now(),
        });
        return {
          body: {
            items: await withUsage(accountId, page.keys),
            next: page.next && cursors.encode([page.next.place, page.next.id]),
          },
        };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path,
      summary: "Create an access key",
      audit: "access_key.created",
      body: newKeyBody,
      answer: keyWithSecretSchema,
      status: 201,
      secretAnswer: true,
      async handle(call) {
        const { accountId, body } = call;
        const made = { name: body.name, account: accountId, ...settingsOf(body) };
        const { info, key: secret } = await orRefused(keys.create(made, call));
        return { body: { key: await one(accountId, info), secret } };
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: `${path}/:key`,
      role: "viewer",
      summary: "Show an access key",
      audit: "none",
      answer: keySchema,
      async handle({ accountId, params }) {
        return { body: await one(accountId, await orRefused(keys.show({ key: params.key, accountId }))) };
      },
    }),
    apiRoute({
      ...common,
      method: "PATCH",
      path: `${path}/:key`,
      summary: "Change an access key",
      audit: "access_key.changed",
      body: changedKeyBody,
      answer: keySchema,
      async handle(call) {
        const { accountId, params, body } = call;
        const settings = { ...(body.name === undefined ? {} : { name: body.name }), ...settingsOf(body) };
        const info = await orRefused(keys.set({ key: params.key, accountId }, settings, call));
        mayBeUnchanged(call);
        return { body: await one(accountId, info) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: `${path}/disable`,
      summary: "Disable access keys",
      description: "All of them or none. Keys that are not enabled stay as they are.",
      audit: "access_key.disabled",
      body: z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(200), terminate }),
      answer: z.object({ items: z.array(keySchema) }),
      async handle(call) {
        const { accountId, body } = call;
        const ids = [...new Set(body.ids)];
        const infos = await orRefused(keys.disableAll(accountId, ids, call, { terminate: body.terminate }));
        mayBeUnchanged(call);
        return { body: { items: await withUsage(accountId, infos) } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: `${path}/:key/disable`,
      summary: "Disable an access key",
      audit: "access_key.disabled",
      body: z.strictObject({ terminate }),
      answer: keySchema,
      async handle(call) {
        const { accountId, params, body } = call;
        const reference = { key: params.key, accountId };
        const info = await orRefused(keys.setState(reference, "disabled", call, { terminate: body.terminate }));
        mayBeUnchanged(call);
        return { body: await one(accountId, info) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: `${path}/:key/enable`,
      summary: "Enable an access key",
      audit: "access_key.enabled",
      answer: keySchema,
      async handle(call) {
        const { accountId, params } = call;
        const info = await orRefused(keys.setState({ key: params.key, accountId }, "enabled", call));
        mayBeUnchanged(call);
        return { body: await one(accountId, info) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: `${path}/:key/rotate`,
      summary: "Give an access key a new secret",
      audit: "access_key.rotated",
      body: z.strictObject({
        grace_ms: z
          .number()
          .int()
          .min(0)
          .max(longestGraceMs)
          .describe("For how long the former secret stays good, in milliseconds: at most 30 days."),
      }),
      answer: keyWithSecretSchema,
      secretAnswer: true,
      async handle(call) {
        const { accountId, params, body } = call;
        const rotated = await orRefused(keys.rotate({ key: params.key, accountId }, body.grace_ms, call));
        return { body: { key: await one(accountId, rotated.info), secret: rotated.key } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: `${path}/:key/revoke`,
      summary: "Revoke an access key",
      description: "Ends the key and all its former secrets, for ever.",
      audit: "access_key.revoked",
      body: z.strictObject({
        name: z.string().describe("The key's name, to be sure that it is the right one."),
        terminate,
      }),
      answer: keySchema,
      async handle(call) {
        const { accountId, params, body } = call;
        const reference = { key: params.key, accountId };
        const { name } = await orRefused(keys.show(reference));
        if (name !== body.name) {
          throw new ManagementError(400, "wrong_name", "This is not the name of the key.", { field: "name" });
        }
        const info = await orRefused(keys.revoke(reference, call, { terminate: body.terminate }));
        return { body: await one(accountId, info) };
      },
    }),
  ];
}

/** Where nothing had to be changed there is no entry: the one that is asked for here is not written. */
function mayBeUnchanged(call: Pick<ManagementCall, "audit">): void {
  call.audit({ target: null, accountId: null });
}
