import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { SettingError, type SettingInfo, type Settings } from "../../settings/settings.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import type { Caller } from "../caller.ts";
import { ManagementError } from "../failure.ts";
import type { ManagementRoute } from "../routes.ts";

const value = z
  .union([z.string(), z.number(), z.boolean()])
  .describe("As the configuration file spells it: a time '30d', a size '256KiB', a number, true.");

const settingSchema = z
  .object({
    name: z.string().describe("The path in the configuration file: 'calls.retention'."),
    group: z.enum([
      "limits",
      "billing",
      "upstream",
      "calls",
      "content_logging",
      "stored_responses",
      "sign_in",
      "console",
    ]),
    kind: z.enum(["duration", "size", "count", "flag", "choice", "text"]),
    value,
    default: value,
    origin: z
      .enum(["file", "console", "default"])
      .describe("Who decides it. What the file sets can be changed in the file alone."),
    choices: z.array(z.string()).describe("What there is to choose from; empty where it is no choice."),
    least: z.string().nullable().describe("The lower bound, spelt as the value."),
    most: z.string().nullable(),
    updated_at: timeSchema.nullable().describe("When it was last set in the console."),
  })
  .meta({ id: "Setting" });

const answer = z.object({
  items: z.array(settingSchema),
  sign_in_providers: z
    .array(z.object({ id: z.string(), name: z.string(), issuer: z.string() }))
    .describe("Set in the configuration file alone."),
  file: z.string().nullable().describe("The name of the configuration file; null where there is none."),
});

export interface SettingRoutesParts {
  database: Pick<Database, "read">;
  settings: Settings;
  config: Pick<Config, "signIn" | "file">;
}

/** What operators may change while the gateway runs. */
export function settingRoutes({ database, settings, config }: SettingRoutesParts): ManagementRoute[] {
  const shown = () => ({
    items: settings.list().map(settingJson),
    sign_in_providers: config.signIn.oidc.map(({ id, name, issuer }) => ({ id, name, issuer })),
    file: config.file,
  });

  /** Nobody locks themselves out, nor all others with them. */
  const checkSignIn = async (values: Readonly<Record<string, unknown>>, caller: Caller): Promise<void> => {
    if (values["sign_in.operator_two_factor"] === true && !caller.twoFactorEnabled) {
      throw refused(
        "sign_in.operator_two_factor",
        "Turn on your own second factor first, or you lose your own rights.",
      );
    }
    if (values["sign_in.password"] === false && config.signIn.oidc.length === 0) {
      const passkey = await database.read
        .selectFrom("user_passkey")
        .select("id")
        .where("user_id", "=", caller.userId)
        .limit(1)
        .executeTakeFirst();
      if (!passkey)
        throw refused("sign_in.password", "Add a passkey to your own profile first, or you cannot sign in.");
    }
  };

  return [
    apiRoute({
      tag: "Settings",
      method: "GET",
      path: "/api/v1/settings",
      summary: "List settings",
      role: "operator",
      scope: "installation",
      audit: "none",
      answer,
      handle: async () => ({ body: shown() }),
    }),
    apiRoute({
      tag: "Settings",
      method: "PATCH",
      path: "/api/v1/settings",
      summary: "Change settings",
      description:
        "All of them take effect or none, on every gateway within a second. Calls that run go on as they began.",
      role: "operator",
      scope: "installation",
      audit: "settings.changed",
      body: z.strictObject({
        values: z
          .record(z.string().max(100), z.union([value, z.null()]))
          .refine((values) => Object.keys(values).length > 0, "must name a setting")
          .describe("By their names; null goes back to the default."),
      }),
      answer,
      async handle(call) {
        const { values } = call.body;
        await checkSignIn(values, call.caller);
        try {
          await settings.change(values, call);
        } catch (error) {
          throw error instanceof SettingError ? refusalOf(error) : error;
        }
        return { body: shown() };
      },
    }),
    apiRoute({
      tag: "Settings",
      method: "GET",
      path: "/api/v1/console-notice",
      summary: "Tell what operators announce",
      role: "user",
      scope: "self",
      audit: "none",
      answer: z.object({ text: z.string().describe("For the top of every page; empty where there is nothing.") }),
      handle: async () => ({ body: { text: settings.current().console.notice } }),
    }),
  ];
}

function settingJson(info: SettingInfo): z.input<typeof settingSchema> {
  const { name, group, kind, choices, least, most } = info.definition;
  const { value: holds, standard, origin, updatedAt } = info;
  return {
    name,
    group,
    kind,
    value: holds,
    default: standard,
    origin,
    choices: [...choices],
    least,
    most,
    updated_at: updatedAt,
  };
}

function refused(field: string, message: string): ManagementError {
  return new ManagementError(409, "locks_out", message, { field });
}

function refusalOf({ code, message, setting }: SettingError): ManagementError {
  const text = `${message.replace(/\.$/, "")}.`;
  switch (code) {
    case "unknown":
      return new ManagementError(400, "unknown_field", text, { field: setting });
    case "invalid":
      return new ManagementError(400, "invalid_request", text, { field: setting });
    case "declared":
      return new ManagementError(409, "declared_in_configuration", text, { field: setting });
    case "conflict":
      return new ManagementError(409, "conflict", text, { field: setting });
  }
}
