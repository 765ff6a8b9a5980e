import { strict as assert } from "node:assert";
import { startUpstreamSim } from "@interlingua/upstream-sim";
import fc from "fast-check";
import { auditBooks } from "../../packages/gateway/src/accounts/books-audit.ts";
import { openSnapshot } from "../../packages/gateway/src/storage/open-snapshot.ts";
import { type ProtocolName, protocolNames } from "../../packages/protocols/src/canonical/index.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type OddRequest, oddRequests } from "./odd-requests.ts";
import { exchange, type RawResponse } from "./raw-http.ts";
import { inPieces } from "./streams.ts";
import type { Target } from "./target.ts";

/** A whole gateway before a simulated provider, and the ids of the calls that it has answered. */
async function openDoor() {
  let minted = 0;
  const sim = await startUpstreamSim({ clock: Date.now, ids: () => `id${++minted}`, keepRequests: 0 });
  const gateway = await startTestGateway({
    channels: protocolNames.map((protocol) => ({
      name: protocol,
      protocols: [protocol],
      base_url: protocol === "chat-completions" || protocol === "responses" ? `${sim.url}/v1` : sim.url,
      api_key: "sim",
      models: [{ id: `to-${protocol}`, upstream_id: "sandbox" }],
    })),
    prices: [{ model: "*", input: 1, output: 10 }],
    auth: { failures_per_minute: 1_000_000 },
  });
  return { sim, gateway, acknowledged: new Set<string>() };
}

let door: ReturnType<typeof openDoor> | undefined;

/** The key that every test gateway knows. */
const key = "test-access-key-0123456789-0123456789";

const isError: Record<ProtocolName, (body: Record<string, unknown>) => boolean> = {
  "chat-completions": ({ error }) => isRecord(error) && "type" in error && "param" in error,
  responses: ({ error }) => isRecord(error) && "type" in error && "param" in error,
  messages: ({ type, error }) => type === "error" && isRecord(error) && typeof error.type === "string",
  "generate-content": ({ error }) => isRecord(error) && typeof error.status === "string",
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function checkAnswer({ status, headers, body }: RawResponse, request: OddRequest | undefined): void {
  assert.ok(status < 500, `answered with ${status}: ${body.toString("utf8").slice(0, 500)}`);
  assert.match(headers.get("x-request-id") ?? "", /^call_/);
  if (status < 400) return;
  const told: unknown = JSON.parse(body.toString("utf8"));
  assert.ok(isRecord(told) && isRecord(told.error) && told.error.message !== "", `no error: ${body}`);
  if (request?.isSound) assert.ok(isError[request.protocol](told), `no error of ${request.protocol}: ${body}`);
}

const frontDoor: Target = {
  name: "the front door",
  property: () =>
    fc.asyncProperty(
      fc.array(oddRequests(key), { minLength: 1, maxLength: 2 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
      ),
      async (requests, shares, cut) => {
        door ??= openDoor();
        const { gateway, acknowledged } = await door;
        const all = Buffer.concat(requests.flatMap(({ head, body }) => [Buffer.from(head, "latin1"), body]));
        const bytes = cut === undefined ? all : all.subarray(0, Math.floor(cut * all.length));
        const isWhole = cut === undefined && requests.every(({ isSound }) => isSound);
        const { responses, hangs } = await exchange(gateway.caller.url, inPieces(bytes, shares), {
          answers: requests.length,
          ends: !isWhole,
        });
        assert.ok(!hangs, "hangs");
        if (isWhole) assert.ok(responses.length > 0, "no answer");
        for (const [index, response] of responses.entries()) {
          // Where one of the requests is no HTTP by the book, nobody can say which answer is whose.
          const request = isWhole ? requests[index] : undefined;
          checkAnswer(response, request);
          const isRefusedOutside = [401, 417, 426, 431].includes(response.status);
          if (request && !isRefusedOutside) acknowledged.add(response.headers.get("x-request-id") ?? "");
        }
      },
    ),
  async close() {
    if (!door) return;
    const { sim, gateway, acknowledged } = await door;
    door = undefined;
    const alive = await fetch(`${gateway.caller.url}/healthz`);
    assert.equal(alive.status, 200, "the gateway has died");
    await gateway.stop();
    await sim.close();
    {
      await using snapshot = await openSnapshot(gateway.config.database);
      const { retentionMs } = gateway.config.calls;
      const books = await auditBooks(snapshot, { retentionMs, acknowledged: [...acknowledged] });
      assert.ok(books.clean, JSON.stringify(books.checks.filter(({ findings }) => findings.length > 0)).slice(0, 2000));
      const faults = await snapshot.read.selectFrom("call").select("id").where("error_kind", "=", "internal").execute();
      assert.deepEqual(faults, [], "calls that failed inside the gateway");
      const open = await snapshot.read
        .selectFrom("reservation")
        .select("call_id")
        .where("state", "=", "open")
        .execute();
      assert.deepEqual(open, [], "money that is still set aside");
    }
    await gateway.close();
  },
};

export const doorTargets: readonly Target[] = [frontDoor];
