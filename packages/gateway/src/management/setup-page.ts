import { readFileSync } from "node:fs";
import { notFound } from "./failure.ts";
import type { ManagementRoute } from "./routes.ts";
import type { Setup } from "./setup.ts";

const files = [
  { path: "/setup", file: "setup.html", type: "text/html; charset=utf-8" },
  { path: "/setup.js", file: "setup.js", type: "text/javascript; charset=utf-8" },
  { path: "/setup.css", file: "setup.css", type: "text/css; charset=utf-8" },
];

/** The page to which the one-time link leads. Gone once there is an operator. */
export function setupPageRoutes(setup: Pick<Setup, "open">): ManagementRoute[] {
  return files.map(({ path, file, type }) => {
    const text = readFileSync(new URL(`./pages/${file}`, import.meta.url), "utf8");
    return {
      method: "GET",
      path,
      auth: "none",
      role: "anyone",
      scope: "installation",
      bodyBytes: 0,
      rate: "read",
      audit: "none",
      async handle() {
        if (!(await setup.open())) throw notFound();
        return { headers: { "content-type": type }, body: text };
      },
    };
  });
}
