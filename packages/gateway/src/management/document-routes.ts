import { type ApiDocument, apiDocument } from "./api-document.ts";
import type { ManagementRoute } from "./routes.ts";

/** The document of the given routes, at the address where tools look for it. */
export function documentRoutes(routes: readonly ManagementRoute[]): ManagementRoute[] {
  let document: Promise<ApiDocument> | undefined;
  return [
    {
      method: "GET",
      path: "/api/openapi.json",
      auth: "none",
      role: "anyone",
      scope: "installation",
      bodyBytes: 0,
      rate: "read",
      audit: "none",
      async handle() {
        document ??= apiDocument(routes);
        return { body: await document };
      },
    },
  ];
}
