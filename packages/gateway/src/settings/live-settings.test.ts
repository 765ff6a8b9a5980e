import { expect, test } from "vitest";
import { loadConfig } from "../config/load-config.ts";
import { systemPlatform } from "../platform.ts";
import { contextOfCalls } from "../relay/context.ts";
import { startTestGateway } from "../testing/test-gateway.ts";
import { createSettings } from "./settings.ts";

const actor = { kind: "command", id: null, name: "command line", address: null } as const;
const body = { model: "to-chat-completions", messages: [{ role: "user", content: "hi" }] };

test("A2 what another process sets holds in a running gateway: limits of known keys", async () => {
  await using gateway = await startTestGateway();
  const limit = async () => {
    const answer = await gateway.post("/v1/chat/completions", body);
    await answer.text();
    return [answer.status, answer.headers.get("x-ratelimit-limit-requests")];
  };
  expect(await limit()).toEqual([200, "1000000"]);
  const config = await loadConfig({
    env: {},
    fileSystem: { read: async () => undefined },
    localModels: async () => [],
  });
  await gateway.withDatabase(async (database) => {
    const log = { warn: () => undefined };
    const settings = await createSettings({ database, config, platform: systemPlatform(), log });
    await settings.change({ "limits.requests_per_minute": 50 }, actor);
  });
  await expect.poll(limit, { timeout: 5000 }).toEqual([200, "50"]);
});

test("O1 a call goes on by the settings of its begin", async () => {
  const config = await loadConfig({
    env: {},
    fileSystem: { read: async () => undefined },
    localModels: async () => [],
  });
  await using gateway = await startTestGateway();
  await gateway.withDatabase(async (database) => {
    const log = { warn: () => undefined };
    const settings = await createSettings({ database, config, platform: systemPlatform(), log });
    const contextOfCall = contextOfCalls({
      get settings() {
        return settings.current();
      },
    });
    const earlier = contextOfCall();
    await settings.change({ "upstream.idle": "7s" }, actor);
    expect([earlier, contextOfCall()].map((call) => call.settings.upstream.idleMs)).toEqual([120_000, 7000]);
  });
});
