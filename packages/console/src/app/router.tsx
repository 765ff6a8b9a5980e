import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { homeAccount } from "./account.ts";
import { AppFailed, AppNotFound } from "./app-failed.tsx";
import { PageWaiting } from "./page-waiting.tsx";
import { PublicLayout } from "./public-layout.tsx";
import { meQuery } from "./session.ts";
import { Shell } from "./shell.tsx";

interface RouterContext {
  queries: QueryClient;
}

type PageModule = { default: () => React.ReactNode };

/** Each page is a chunk of its own. */
const page = (load: () => Promise<PageModule>) => ({ component: lazyRouteComponent(load) });

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: AppNotFound,
});

/** Pages of those who have signed in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  async beforeLoad({ context, location }) {
    const me = await context.queries.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: "/sign-in", search: { next: location.href } as never });
  },
});

/** Pages for everybody: those who have signed in see them inside of the shell. */
const open = createRoute({ getParentRoute: () => root, id: "open", component: PublicLayout });
const bare = createRoute({ getParentRoute: () => root, id: "bare" });

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  async beforeLoad({ context }) {
    const me = await context.queries.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: "/sign-in" });
    const account = homeAccount(me);
    if (account !== undefined) throw redirect({ to: "/a/$account/home", params: { account } });
    throw redirect({ to: me.user.operator ? "/operator/home" : "/profile" });
  },
});

const account = createRoute({ getParentRoute: () => shell, path: "/a/$account" });
const ofAccount = <const Path extends string>(path: Path, load: () => Promise<PageModule>) =>
  createRoute({ getParentRoute: () => account, path, ...page(load) });

const operator = createRoute({
  getParentRoute: () => shell,
  path: "/operator",
  async beforeLoad({ context }) {
    const me = await context.queries.ensureQueryData(meQuery);
    if (!me?.user.operator) throw redirect({ to: "/" });
  },
});
const ofOperator = <const Path extends string>(path: Path, load: () => Promise<PageModule>) =>
  createRoute({ getParentRoute: () => operator, path, ...page(load) });

const routeTree = root.addChildren([
  start,
  bare.addChildren([
    createRoute({ getParentRoute: () => bare, path: "/sign-in", ...page(() => import("../pages/sign-in/index.tsx")) }),
    createRoute({ getParentRoute: () => bare, path: "/setup", ...page(() => import("../pages/setup/index.tsx")) }),
  ]),
  open.addChildren([
    createRoute({ getParentRoute: () => open, path: "/models", ...page(() => import("../pages/models/index.tsx")) }),
    createRoute({ getParentRoute: () => open, path: "/status", ...page(() => import("../pages/status/index.tsx")) }),
  ]),
  shell.addChildren([
    createRoute({ getParentRoute: () => shell, path: "/profile", ...page(() => import("../pages/profile/index.tsx")) }),
    account.addChildren([
      ofAccount("home", () => import("../pages/home/index.tsx")),
      ofAccount("connect", () => import("../pages/connect/index.tsx")),
      ofAccount("keys", () => import("../pages/keys/index.tsx")),
      ofAccount("calls", () => import("../pages/calls/index.tsx")),
      ofAccount("calls/$call", () => import("../pages/call/index.tsx")),
      ofAccount("usage", () => import("../pages/usage/index.tsx")),
      ofAccount("balance", () => import("../pages/balance/index.tsx")),
      ofAccount("playground", () => import("../pages/playground/index.tsx")),
      ofAccount("settings", () => import("../pages/account-settings/index.tsx")),
    ]),
    operator.addChildren([
      ofOperator("home", () => import("../pages/operator-home/index.tsx")),
      ofOperator("calls", () => import("../pages/calls/index.tsx")),
      ofOperator("calls/$call", () => import("../pages/call/index.tsx")),
      ofOperator("usage", () => import("../pages/usage/index.tsx")),
      ofOperator("channels", () => import("../pages/channels/index.tsx")),
      ofOperator("routing", () => import("../pages/routing/index.tsx")),
      ofOperator("accounts", () => import("../pages/accounts/index.tsx")),
      ofOperator("accounts/$account", () => import("../pages/accounts/account.tsx")),
      ofOperator("users", () => import("../pages/users/index.tsx")),
      ofOperator("prices", () => import("../pages/prices/index.tsx")),
      ofOperator("audit", () => import("../pages/audit/index.tsx")),
      ofOperator("settings", () => import("../pages/settings/index.tsx")),
    ]),
  ]),
]);

/** Search parameters are plain texts in the address: `?state=enabled&live=1`. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: PageWaiting,
    defaultErrorComponent: AppFailed,
    defaultNotFoundComponent: AppNotFound,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
