import { protocolNames } from "@interlingua/protocols";
import type { Fault, Script } from "@interlingua/upstream-sim";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const text = { kind: "text", text: "One two three four five six seven eight nine ten." } as const;
const answer = (more: Partial<Script> = {}): Script => ({ steps: [text], ...more });

const pairs = protocolNames.flatMap((client) =>
  protocolNames.flatMap((upstream) => [false, true].map((stream) => [client, upstream, stream] as const)),
);

/** One for all: the only channel of a model is tried however often it failed (R17). */
let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
});
afterAll(() => test[Symbol.asyncDispose]());

async function send(client: (typeof protocolNames)[number], model: string, stream: boolean) {
  const { path, body } = clientCall(client, model, stream);
  const response = await test.post(path, body);
  const id = response.headers.get("x-request-id");
  const answered = await response.text();
  return { status: response.status, headers: response.headers, text: answered, id };
}

async function recordOf(id: string | null) {
  const calls = (await test.calls()).filter((call) => call.id === id);
  expect(calls).toHaveLength(1);
  return calls[0];
}

/** Nothing in it may look like a good end. */
const goodEnd = /\[DONE\]|message_stop|response\.completed|"finishReason": ?"STOP"/;

describe("an upstream that answers nonsense is a 502 before the first byte (R7)", () => {
  const faults: Fault[] = [
    { kind: "html" },
    { kind: "empty-body" },
    { kind: "redirect", location: "http://127.0.0.1:1/" },
    { kind: "two-codings" },
  ];
  for (const fault of faults) {
    it.each(pairs)(`${fault.kind}: %s to %s, stream %s`, async (client, upstream, stream) => {
      test.sim.setScript(answer({ fault }));
      const { status, id, text: body } = await send(client, `to-${upstream}`, stream);
      expect([502, 503]).toContain(status);
      expect(body).not.toContain("<html");
      const expected = client === "generate-content" ? [502, 503] : [502];
      expect(expected).toContain(status);
      expect(await recordOf(id)).toMatchObject({
        outcome: "failed",
        status,
        errorKind: expect.stringMatching(/^upstream_/),
      });
    });
  }
});

describe("an answer that breaks off is an error, never a success (R15, S25)", () => {
  const faults: Fault[] = [
    { kind: "cut", afterEvents: 5 },
    { kind: "end", afterEvents: 5 },
    { kind: "no-terminal" },
    { kind: "error-event", afterEvents: 5, error: "unavailable" },
  ];
  for (const fault of faults) {
    it.each(pairs.filter(([, , stream]) => stream))(`${fault.kind}: %s to %s`, async (client, upstream) => {
      test.sim.setScript(answer({ chunkSize: 4, fault }));
      const { status, text: body, id } = await send(client, `to-${upstream}`, true);
      expect(status).toBe(200);
      expect(body).not.toMatch(goodEnd);
      expect(body).toMatch(/"error"|response\.failed/);
      expect(await recordOf(id)).toMatchObject({ outcome: "upstream_incomplete", status: 200, stream: true });
    });
  }
});

describe("upstream errors in the caller's shape (conversion.md 1.5.8)", () => {
  it.each(pairs.filter(([, , stream]) => !stream))("400 with its text: %s to %s", async (client, upstream) => {
    const fault = { kind: "http-error", status: 400, message: "the simulated reason" } as const;
    test.sim.setScript(answer({ fault }));
    const { status, text: body, id, headers } = await send(client, `to-${upstream}`, false);
    expect(status).toBe(400);
    expect(body).toContain("the simulated reason");
    expect(headers.get("x-should-retry")).toBe("false");
    expect(await recordOf(id)).toMatchObject({ outcome: "failed", status: 400, errorKind: "bad_request" });
  });

  it.each(pairs.filter(([, , stream]) => !stream))("R12 401 is 503: %s to %s", async (client, upstream) => {
    const fault = { kind: "http-error", status: 401, message: "key sk-leak of org-7 is wrong" } as const;
    test.sim.setScript(answer({ fault }));
    const { status, text: body } = await send(client, `to-${upstream}`, false);
    expect(status).toBe(503);
    expect(body).not.toContain("sk-leak");
  });

  it.each(pairs.filter(([, upstream, stream]) => !stream && upstream !== "generate-content"))(
    "429 keeps its wait: %s to %s",
    async (client, upstream) => {
      const fault = { kind: "http-error", status: 429, headers: { "retry-after": "7" } } as const;
      test.sim.setScript(answer({ fault }));
      const { status, headers } = await send(client, `to-${upstream}`, true);
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toBe("7");
    },
  );
});
