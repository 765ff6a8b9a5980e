import { protocolNames } from "@interlingua/protocols";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createContentStore } from "../calls/content-store.ts";
import type { Config } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { send } from "../testing/paying-gateway.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const settings = { enabled: true, retentionMs: 86_400_000, maxBytes: 65_536 };
const secret = Buffer.from("a secret of the tests, long enough to be one");
const script = { steps: [{ kind: "text", text: "The answer of the model." }] } as const;

async function gatewayWith(installation: boolean, key: boolean): Promise<TestGateway> {
  const config = (base: Config): Config => ({ ...base, contentLogging: { ...settings, enabled: installation } });
  const gateway = await startTestGateway({ script: { steps: [...script.steps] }, config });
  await gateway.withDatabase(({ write, compile }) =>
    write([compile(sql`update access_key set content_logging = ${key ? 1 : 0}`)]),
  );
  return gateway;
}

function contentOf(gateway: TestGateway) {
  return gateway.withDatabase(async (database) => {
    const store = createContentStore({ database, secret, platform: systemPlatform(), settings });
    const [call] = await gateway.calls();
    return store.read(call?.id ?? "", { kind: "system", id: null, name: "test", address: null });
  });
}

describe("S2 prompts and answers", () => {
  it.each([
    [false, false],
    [true, false],
    [false, true],
  ])("are not kept unless both want it (installation: %s, key: %s)", async (installation, key) => {
    await using gateway = await gatewayWith(installation, key);
    await send(gateway, "messages", "to-messages", true);
    const rows = await gateway.withDatabase(({ read }) => read.selectFrom("call_content").selectAll().execute());
    expect(rows).toEqual([]);
  });

  it.each(protocolNames)("are kept as they went over all four wires, to %s", async (upstream) => {
    for (const stream of [false, true]) {
      await using gateway = await gatewayWith(true, true);
      const { body } = await send(gateway, "chat-completions", `to-${upstream}`, stream);
      const kept = await contentOf(gateway);
      expect(kept.map(({ part }) => part)).toEqual([
        "client_request",
        "upstream_request",
        "upstream_answer",
        "client_answer",
      ]);
      expect(kept[0]?.text).toContain('"Hello"');
      expect(kept[1]?.text).toBe(Buffer.from(gateway.sim.requests[0]?.body ?? []).toString("utf8"));
      expect(kept[2]?.text).toContain("model");
      expect(kept[3]?.text).toBe(body);
    }
  });

  it.each(protocolNames)("are kept of the direct lane too, stream or not: %s", async (protocol) => {
    await using gateway = await gatewayWith(true, true);
    for (const stream of [false, true]) {
      const { body } = await send(gateway, protocol, `to-${protocol}`, stream);
      const kept = await contentOf(gateway);
      expect(kept.map(({ part }) => part)).toEqual([
        "client_request",
        "upstream_request",
        "upstream_answer",
        "client_answer",
      ]);
      expect(kept[2]?.text).toContain("model");
      expect(kept[3]?.text).toBe(body);
      expect((await gateway.calls())[0]?.lane).toBe("direct");
    }
  });

  it("of a refused call are the request and the error", async () => {
    await using gateway = await gatewayWith(true, true);
    const { body } = await send(gateway, "messages", "no-such-model", false);
    const kept = await contentOf(gateway);
    expect(kept.map(({ part }) => part)).toEqual(["client_request", "client_answer"]);
    expect(kept[1]?.text).toBe(body);
  });
});
