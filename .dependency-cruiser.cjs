/**
 * The arrows of ARCHITECTURE.md: imports run one way.
 * protocols imports nothing of ours and no Node API; in the gateway
 * http -> relay -> {channels, accounts, calls, catalogue, stored-responses} -> {storage, coordination} -> {config, telemetry}.
 */
const room = (name) => `^packages/gateway/src/${name}/`;
const rooms = (...names) => `^packages/gateway/src/(${names.join("|")})/`;
const tests = "\\.test\\.ts$|/testing/";

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "protocols-is-pure",
      comment: "packages/protocols runs in a browser: no Node API, no other package of ours, no run-time dependency",
      severity: "error",
      from: { path: "^packages/protocols/src" },
      to: { pathNot: "^packages/protocols/src", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "one-protocol-knows-no-other",
      severity: "error",
      from: { path: "^packages/protocols/src/(chat-completions|responses|messages|generate-content)/" },
      to: {
        path: "^packages/protocols/src/(chat-completions|responses|messages|generate-content)/",
        pathNot: "^packages/protocols/src/$1/",
      },
    },
    {
      name: "shared-knows-no-protocol",
      severity: "error",
      from: { path: "^packages/protocols/src/(shared|canonical)/" },
      to: { path: "^packages/protocols/src/(chat-completions|responses|messages|generate-content)/" },
    },
    {
      name: "sim-knows-no-gateway",
      severity: "error",
      from: { path: "^packages/upstream-sim/src" },
      to: { path: "^packages/(gateway|protocols)/src" },
    },
    {
      name: "console-knows-no-gateway",
      comment: "the console talks to the gateway by the management API alone, whose types are made of its document",
      severity: "error",
      from: { path: "^packages/console/src" },
      to: { path: "^packages/(gateway|upstream-sim)/" },
    },
    {
      name: "shared-and-api-know-no-page",
      severity: "error",
      from: { path: "^packages/console/src/(shared|api)/" },
      to: { path: "^packages/console/src/pages/" },
    },
    {
      name: "relay-does-not-know-http",
      severity: "error",
      from: { path: room("relay") },
      to: { path: room("http") },
    },
    {
      name: "middle-rooms-know-neither-relay-nor-http",
      severity: "error",
      from: {
        path: rooms("channels", "media", "accounts", "calls", "catalogue", "stored-responses", "payments", "status"),
      },
      to: { path: rooms("http", "relay") },
    },
    {
      name: "storage-and-coordination-know-only-the-ground",
      severity: "error",
      from: { path: rooms("storage", "coordination") },
      to: { path: rooms("http", "relay", "channels", "accounts", "calls", "catalogue", "stored-responses") },
    },
    {
      name: "nobody-below-knows-the-management",
      severity: "error",
      from: {
        path: "^packages/gateway/src/",
        pathNot: "^packages/gateway/src/(management|cli)/|^packages/gateway/src/[^/]+$",
      },
      to: { path: room("management") },
    },
    {
      name: "the-audit-log-knows-only-storage",
      severity: "error",
      from: { path: room("audit") },
      to: { path: "^packages/gateway/src/", pathNot: "^packages/gateway/src/(audit|storage)/" },
    },
    {
      name: "the-ground-knows-nobody",
      comment: "but how money and prices are written, which needs nothing else",
      severity: "error",
      from: { path: rooms("config", "telemetry") },
      to: {
        pathNot: "^packages/gateway/src/catalogue/prices/(money|price-version|token-class)\\.ts$",
        path: rooms(
          "http",
          "relay",
          "channels",
          "accounts",
          "calls",
          "catalogue",
          "stored-responses",
          "storage",
          "coordination",
        ),
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: `${tests}|^packages/console/dist/` },
    // Reads TypeScript by swc: the TypeScript 7 compiler has no API for it.
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
