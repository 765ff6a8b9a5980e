import { z } from "zod";
import type { Log } from "../telemetry/log.ts";
import type { ManagementRoute } from "./routes.ts";

/** What a browser tells of something that the content security policy kept from a page. Other fields are not read. */
const reportSchema = z.object({
  "csp-report": z.object({
    "effective-directive": z.string().max(64).optional().catch(undefined),
    "violated-directive": z.string().max(256).optional().catch(undefined),
    "blocked-uri": z.string().max(2048).optional().catch(undefined),
    "document-uri": z.string().max(2048).optional().catch(undefined),
    "line-number": z.int().optional().catch(undefined),
  }),
});

/** Where browsers report what the policy of our pages kept out; an operator reads of it in the log. */
export function cspReportRoutes(log: Log): ManagementRoute[] {
  return [
    {
      method: "POST",
      path: "/api/csp-reports",
      auth: "none",
      role: "anyone",
      scope: "self",
      bodyBytes: 8192,
      bodyType: "application/csp-report",
      rate: "write",
      audit: "none",
      async handle({ body }) {
        const { data } = reportSchema.safeParse(body);
        if (!data) return { status: 204 };
        const report = data["csp-report"];
        const directive = report["effective-directive"] ?? report["violated-directive"]?.split(" ", 1)[0] ?? "unknown";
        log.warn("a page of the console was kept from something by its content security policy", {
          reason: directive.replace(/[^a-z-]/gi, ""),
          detail: withoutQuery(report["blocked-uri"]),
          path: withoutQuery(report["document-uri"]),
        });
        return { status: 204 };
      },
    },
  ];
}

/** An address without what may hold a secret: user, query and fragment; of one that is none the keyword (`inline`). */
function withoutQuery(text: string | undefined): string {
  if (text === undefined) return "";
  if (!URL.canParse(text)) return text.replace(/[^a-z-]/gi, "").slice(0, 32);
  const { origin, protocol, pathname } = new URL(text);
  return origin === "null" ? protocol : origin + pathname;
}
