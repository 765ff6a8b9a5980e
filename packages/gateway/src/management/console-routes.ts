import type { Platform } from "../platform.ts";
import { type ConsoleFiles, chooseEncoding } from "./console-files.ts";
import { notFound } from "./failure.ts";
import type { ManagementAnswer, ManagementCall, ManagementRoute } from "./routes.ts";
import { contentSecurityPolicy, newNonce } from "./security-headers.ts";

/** The addresses that are pages of the console; it finds its way from there by itself. */
const pages = [
  "/",
  "/a/*",
  "/operator",
  "/operator/*",
  "/profile",
  "/sign-in",
  "/setup",
  "/models",
  "/status",
] as const;

const forEver = "public, max-age=31536000, immutable";
const forADay = "public, max-age=86400";

export interface ConsoleRoutesOptions {
  /** Undefined where the console is not built. */
  console: ConsoleFiles | undefined;
  platform: Pick<Platform, "randomBytes">;
}

/** The console as browsers get it: its page under each of its addresses, and its files. */
export function consoleRoutes({ console, platform }: ConsoleRoutesOptions): ManagementRoute[] {
  const page = (): ManagementAnswer => {
    if (!console) return notBuilt;
    const nonce = newNonce(platform);
    return {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": contentSecurityPolicy(nonce),
      },
      body: console.page.replaceAll("__CSP_NONCE__", nonce),
    };
  };
  const file = async ({ params, target, headers }: ManagementCall): Promise<ManagementAnswer> => {
    const address = params["*"] === undefined ? (target.split("?", 1)[0] ?? "") : `/assets/${params["*"]}`;
    const found = console?.files.get(address);
    if (!found) throw notFound();
    const { encoding, bytes } = chooseEncoding(found, headers["accept-encoding"]);
    return {
      headers: {
        "content-type": found.type,
        // The names of assets hold a digest of what is in them.
        "cache-control": address.startsWith("/assets/") ? forEver : forADay,
        vary: "accept-encoding",
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      },
      body: bytes,
    };
  };
  const atTheRoot = [...(console?.files.keys() ?? [])].filter((address) => !address.startsWith("/assets/"));
  return [
    ...pages.map((path) => open(path, async () => page())),
    open("/assets/*", file),
    ...atTheRoot.map((path) => open(path, file)),
  ];
}

function open(path: string, handle: ManagementRoute["handle"]): ManagementRoute {
  return {
    method: "GET",
    path,
    auth: "none",
    role: "anyone",
    scope: "self",
    bodyBytes: 0,
    rate: "none",
    audit: "none",
    handle,
  };
}

const notBuilt: ManagementAnswer = {
  status: 503,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Interlingua</title>',
    "<h1>The console is not built</h1>",
    "<p>Run <code>npm run build</code> where Interlingua stands, and start it again. The gateway itself is at work.</p>",
    "</html>",
  ].join("\n"),
};
