import { z } from "zod";
import type { OidcProvider } from "./config.ts";

function address(example: string) {
  return z.string("must be a text").transform((text, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (!URL.canParse(text)) return refuse(`must be an address such as ${example}`);
    const url = new URL(text);
    if (url.username !== "" || url.password !== "") return refuse("must not hold a user or password");
    if (url.search !== "" || url.hash !== "") return refuse("must not hold a query or fragment");
    if (url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname))) return url;
    return refuse("must begin with https://: only an address of this machine may do without");
  });
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Where browsers reach the console: what passkeys, cookies and the check against foreign pages are bound to. */
export const consoleSchema = z.strictObject({
  url: address("https://gateway.example.com")
    .refine((url) => url.pathname === "/", "must not hold a path")
    .transform((url) => url.origin)
    .optional(),
  notice: z
    .string("must be a text")
    .trim()
    .max(500, "must not be longer than 500 characters")
    .regex(/^\P{Cc}*$/u, "must not hold line breaks or other control characters")
    .default(""),
});

const oidcProvider = z
  .strictObject({
    id: z
      .string("must be a text")
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be 1 to 32 small letters, digits or hyphens"),
    name: z
      .string("must be a text")
      .min(1, "must not be empty")
      .max(64, "must not be longer than 64 characters")
      .optional(),
    issuer: address("https://login.example.com").transform((url) => url.href.replace(/\/+$/, "")),
    client_id: z.string("must be a text").min(1, "must not be empty").max(256),
    client_secret: z.string("must be a text").min(1, "must not be empty").max(1024).optional(),
    scopes: z.array(z.string("must be a text").regex(/^[\x21-\x7e]{1,128}$/)).default(["openid", "email", "profile"]),
    trust_email: z.boolean("must be true or false").default(false),
  })
  .transform(({ id, name, issuer, client_id, client_secret, scopes, trust_email }): OidcProvider => {
    return {
      id,
      name: name ?? id,
      issuer,
      clientId: client_id,
      ...(client_secret === undefined ? {} : { clientSecret: client_secret }),
      scopes,
      trustEmail: trust_email,
    };
  });

/** How users sign in, beside passkeys. */
export const signInSchema = z.strictObject({
  password: z.boolean("must be true or false").default(true),
  operator_two_factor: z.boolean("must be true or false").default(false),
  oidc: z
    .array(oidcProvider, "must be a list of providers")
    .max(20, "must not hold more than 20 providers")
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "names a provider twice")
    .default([]),
});
