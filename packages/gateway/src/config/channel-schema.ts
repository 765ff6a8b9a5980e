import { dialects, protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { highestPriority, highestWeight, type ModelEntry, type ProviderChannel } from "./config.ts";
import { wholeNumber } from "./quantity.ts";

const protocolList = z
  .array(z.enum(protocolNames, { error: `must be one of ${protocolNames.join(", ")}` }), "must be a list of protocols")
  .min(1, "must name at least one protocol")
  .refine((list) => new Set(list).size === list.length, "names a protocol twice");

/** Names that appear in logs, headers and pages. */
export const nameText = z
  .string("must be a text")
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be 1 to 64 letters, digits, dots, hyphens or underscores");

/** A model's name as callers use it, or a pattern with `*`. */
export const modelId = z
  .string("must be a text")
  .regex(
    /^[\w.:/@*-]{1,128}$/,
    "must be 1 to 128 letters, digits or any of . : / @ _ - (and * for any run of characters)",
  );

const model = z.preprocess(
  (value) => (typeof value === "string" ? { id: value } : value),
  z
    .strictObject(
      {
        id: modelId,
        upstream_id: z.string("must be a text").min(1, "must not be empty").max(256).optional(),
        protocols: protocolList.optional(),
      },
      {
        error: (issue) =>
          issue.code === "invalid_type" ? "must be a model name or { id, upstream_id, protocols }" : undefined,
      },
    )
    .refine((entry) => entry.upstream_id === undefined || !entry.id.includes("*"), {
      path: ["upstream_id"],
      message: "cannot be given together with * in id: the caller's own identifier is sent",
    }),
);

const headerName = z
  .string("must be a text")
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, "must be a header name")
  .transform((name) => name.toLowerCase());

const headerValue = z
  .string("must be a text")
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must not hold line breaks or control characters");

const baseUrl = z.string("must be a text").transform((text, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (!URL.canParse(text)) return refuse("must be an address such as https://api.example.com/v1");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("must begin with https:// or http://");
  if (url.username !== "" || url.password !== "") return refuse("must not hold a user or password: use api_key");
  if (url.search !== "" || url.hash !== "") return refuse("must not hold a query or fragment");
  return text.replace(/\/+$/, "");
});

/** One entry of `channels`. */
export const channelSchema = z
  .strictObject({
    name: nameText,
    protocols: protocolList,
    base_url: baseUrl,
    api_key: z
      .string("must be a text")
      .regex(/^[\x21-\x7e]+$/, "must be printable and without spaces")
      .optional(),
    models: z.array(model, "must be a list of models").min(1, "must name at least one model"),
    status: z
      .enum(["operational", "under_observation", "disabled"], {
        error: "must be operational, under_observation or disabled",
      })
      .default("operational"),
    headers: z.record(headerName, headerValue, "must be names with values").default({}),
    credential_header: headerName.optional(),
    priority: wholeNumber(-highestPriority, highestPriority).optional(),
    weight: wholeNumber(0, highestWeight).optional(),
    on_disconnect: z.enum(["received", "drain", "free"], { error: "must be received, drain or free" }).optional(),
    dialect: z.enum(["auto", ...dialects], { error: `must be auto or one of ${dialects.join(", ")}` }).default("auto"),
  })
  .superRefine((channel, context) => {
    const seen = new Set<string>();
    for (const [index, entry] of channel.models.entries()) {
      if (seen.has(entry.id)) {
        context.addIssue({ code: "custom", path: ["models", index], message: `names the model ${entry.id} twice` });
      }
      seen.add(entry.id);
      const foreign = entry.protocols?.find((protocol) => !channel.protocols.includes(protocol));
      if (foreign !== undefined) {
        context.addIssue({
          code: "custom",
          path: ["models", index, "protocols"],
          message: `the channel does not speak ${foreign}`,
        });
      }
    }
  })
  .transform((channel): ProviderChannel => {
    const { base_url, api_key, credential_header, on_disconnect, models, priority, weight, dialect, ...same } = channel;
    return {
      ...same,
      ...(priority === undefined ? {} : { priority }),
      ...(weight === undefined ? {} : { weight }),
      sandbox: false,
      baseUrl: base_url,
      models: models.map(modelEntry),
      ...(api_key === undefined ? {} : { apiKey: api_key }),
      ...(credential_header === undefined ? {} : { credentialHeader: credential_header }),
      ...(on_disconnect === undefined ? {} : { onDisconnect: on_disconnect }),
      ...(dialect === "auto" ? {} : { dialect }),
    };
  });

function modelEntry(entry: z.output<typeof model>): ModelEntry {
  const { id, upstream_id, protocols } = entry;
  return {
    id,
    ...(upstream_id === undefined ? {} : { upstreamId: upstream_id }),
    ...(protocols === undefined ? {} : { protocols }),
  };
}
