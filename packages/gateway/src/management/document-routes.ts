import type { Platform } from "../platform.ts";
import { type ApiDocument, apiDocument } from "./api-document.ts";
import { apiReference } from "./api-reference.ts";
import type { ManagementRoute } from "./routes.ts";
import { contentSecurityPolicy, newNonce } from "./security-headers.ts";

const open = {
  method: "GET",
  auth: "none",
  role: "anyone",
  scope: "installation",
  bodyBytes: 0,
  rate: "read",
  audit: "none",
} as const;

/** The document of the given routes: for tools, at the address where they look for it, and as a page. */
export function documentRoutes(
  routes: readonly ManagementRoute[],
  platform: Pick<Platform, "randomBytes">,
): ManagementRoute[] {
  let made: Promise<ApiDocument> | undefined;
  const document = () => {
    made ??= apiDocument(routes);
    return made;
  };
  return [
    { ...open, path: "/api/openapi.json", handle: async () => ({ body: await document() }) },
    {
      ...open,
      path: "/api/reference",
      async handle() {
        const nonce = newNonce(platform);
        return {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": contentSecurityPolicy(nonce),
          },
          body: apiReference(await document(), nonce),
        };
      },
    },
  ];
}
