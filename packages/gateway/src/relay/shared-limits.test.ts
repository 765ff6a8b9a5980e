import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { protocolNames } from "@interlingua/protocols";
import type { Script } from "@interlingua/upstream-sim";
import { describe, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import { clientCall } from "../testing/client-call.ts";
import { describePostgres, postgresDatabase } from "../testing/database-engines.ts";
import { describeRedis } from "../testing/describe-redis.ts";
import { startRedisServer } from "../testing/redis-server.ts";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

const answer: Script = { steps: [{ kind: "text", text: "One two three." }], usage: { input: 11, output: 7 } };

/** An address at which nobody listens. */
const nobody = "redis://127.0.0.1:1";

describe.each(protocolNames)("D7 a Redis that cannot be reached, %s", (client) => {
  const start = (redisDown: Config["limits"]["redisDown"]) =>
    startTestGateway({
      script: answer,
      config: (base) => ({ ...base, redis: nobody, limits: { ...base.limits, redisDown } }),
    });
  const { path, body } = clientCall(client, "to-messages", false);

  it("local: the gateway starts, counts by itself and says so to the operator", async () => {
    await using test = await start("local");
    const response = await test.post(path, body);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    expect([...response.headers.keys()].some((name) => name.includes("ratelimit"))).toBe(client !== "generate-content");
    expect(test.log.join()).toContain("redis cannot be reached: limits follow redis_down");
  });

  it("deny: 503 with the wait, recorded, unseen by the upstream; lists are refused, too", async () => {
    await using test = await start("deny");
    const response = await test.post(path, body);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.text()).toContain("The gateway cannot check its limits at the moment.");
    expect([...response.headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
    expect(test.sim.requests).toHaveLength(0);
    expect(await test.calls()).toMatchObject([{ status: 503, channel: null }]);
    const list = await fetch(`${test.address}/v1/models`, { headers: { authorization: `Bearer ${testKey}` } });
    await list.arrayBuffer();
    expect(list.status).toBe(503);
  });
});

describeRedis("Redis", () => {
  describePostgres("and PostgreSQL", () => {
    const stalled: Script = { ...answer, fault: { kind: "stall", afterEvents: 4 } };

    /** Opens a stream over a socket of its own; resolves with its status. */
    async function open(test: TestGateway | undefined): Promise<{ status: number; leave: () => void }> {
      const { path, body } = clientCall("messages", "to-messages", true);
      const headers = {
        authorization: `Bearer ${testKey}`,
        "anthropic-version": "2023-06-01",
        "content-type": "application/json",
      };
      const request = httpRequest(`${test?.address}${path}`, { method: "POST", headers, agent: false });
      request.end(JSON.stringify(body));
      const [response]: IncomingMessage[] = await once(request, "response");
      response?.on("error", () => undefined).resume();
      return { status: response?.statusCode ?? 0, leave: () => request.destroy() };
    }

    it("T09 of 60 calls at once on three gateways exactly 10 run; when Redis is gone no call is lost", async () => {
      await using redis = await startRedisServer();
      using database = await postgresDatabase();
      const start = () =>
        startTestGateway({
          script: stalled,
          config: (base) => ({
            ...base,
            redis: redis.url,
            database: database.config,
            limits: { ...base.limits, concurrency: 10 },
          }),
        });
      await using one = await start();
      await using two = await start();
      await using three = await start();
      const gateways = [one, two, three];
      const wave = (count: number) =>
        Promise.all(Array.from({ length: count }, (_each, index) => open(gateways[index % 3])));
      const running = (opened: Awaited<ReturnType<typeof wave>>) => {
        expect(opened.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
        return opened.filter(({ status }) => status === 200).length;
      };
      const first = await wave(60);
      // On a machine so busy that the server does not answer in time a gateway decides for itself, and says so.
      const alone = gateways.flatMap(({ log }) => log).filter((line) => line.includes("a redis command failed"));
      expect(running(first)).toBeGreaterThanOrEqual(10);
      expect(running(first)).toBeLessThanOrEqual(10 + alone.length);
      for (const { leave } of first) leave();
      await redis.stop();
      const second = await wave(60);
      expect(running(second)).toBeGreaterThanOrEqual(10);
      for (const { leave } of second) leave();
    });
  });
});
