import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

// Tests start gateways, commands and threads by the hundred: they load what the first one of each has compiled.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "interlingua-compile-cache");

/** The console in a real browser: these tests need a seeded gateway, for which no other test is to wait. */
const inBrowser = "tests/console/!(api-types).test.ts";

/** Functions alone: these tests share a process and its loaded modules, since none can leave anything behind for the next. */
const pure = "packages/protocols/src/**/*.test.ts";

export default defineConfig({
  test: {
    // Two cores are what the smallest supported machine has.
    maxWorkers: 2,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "protocols",
          include: [pure],
          isolate: false,
          setupFiles: ["./vitest.setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "code",
          include: ["packages/**/src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, inBrowser, pure],
          globalSetup: ["./vitest.databases.ts"],
          setupFiles: ["./vitest.setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "console",
          include: [inBrowser],
          globalSetup: ["./tests/console/support/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
