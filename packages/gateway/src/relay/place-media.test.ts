import type { ServerResponse } from "node:http";
import { request } from "node:http";
import type { ProtocolName } from "@interlingua/protocols";
import { describe, expect, it, test } from "vitest";
import { type MediaServer, startMediaServer } from "../testing/media-server.ts";
import { answer, dollar, paying, purseOf, usage } from "../testing/paying-gateway.ts";
import { simChannel, type TestGateway, type TestGatewayOptions, testKey } from "../testing/test-gateway.ts";

/* M2: media at addresses for models that want the bytes, in the life of a call. */

const png = Buffer.from("\x89PNG\r\n\x1a\n and what follows", "latin1");

/** A call of a family that shows one image at an address. */
const shows: Record<Exclude<ProtocolName, "generate-content">, (url: string, model: string) => [string, object]> = {
  "chat-completions": (url, model) => [
    "/v1/chat/completions",
    { model, messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] },
  ],
  responses: (url, model) => [
    "/v1/responses",
    { model, input: [{ role: "user", content: [{ type: "input_image", image_url: url }] }] },
  ],
  messages: (url, model) => [
    "/v1/messages",
    {
      model,
      max_tokens: 100,
      messages: [{ role: "user", content: [{ type: "image", source: { type: "url", url } }] }],
    },
  ],
};
const clients = ["chat-completions", "responses", "messages"] as const;
const field = {
  "chat-completions": "messages[0].content[0]",
  responses: "input[0].content[0]",
  messages: "messages[0].content[0]",
};

async function stage(
  media: MediaServer,
  options: TestGatewayOptions & { fetch?: boolean; allow?: readonly string[] } = {},
): Promise<TestGateway> {
  const { fetch = true, allow = [media.place], ...rest } = options;
  return paying(
    { balance: dollar },
    {
      script: answer({ usage }),
      network: media.network(),
      ...rest,
      config: (base) => ({ ...base, media: { ...base.media, fetch }, outbound: { allow } }),
    },
  );
}

const serving = (answering: (response: ServerResponse) => void) =>
  startMediaServer((_request, response) => answering(response));
const sendingPng = () => serving((response) => void response.end(png));

/** Bodies that the upstream got, as JSON. */
const upstreamBodies = ({ sim }: TestGateway) =>
  sim.requests.map(({ body }) => Buffer.from(body ?? []).toString("utf8"));

describe.each(clients)("%s", (client) => {
  test("M2 a model that wants the bytes gets them, and the caller is told", async () => {
    await using media = await sendingPng();
    await using gateway = await stage(media);
    const [path, body] = shows[client](media.url("/a.png"), "to-generate-content");
    const response = await gateway.post(path, body);
    expect(response.status).toBe(200);
    expect(upstreamBodies(gateway)[0]).toContain(
      `{"inlineData":{"mimeType":"image/png","data":"${png.toString("base64")}"}}`,
    );
    const notice = expect.objectContaining({ field: field[client], verdict: "emulated" });
    expect(JSON.parse(response.headers.get("x-interlingua-notices") ?? "[]")).toContainEqual(notice);
    const [call] = await gateway.calls();
    expect(call).toMatchObject({ outcome: "succeeded", charge: 600_000n, notices: expect.arrayContaining([notice]) });
  });

  test("M2 nothing is fetched unless the operator allows it, nor for an upstream that fetches itself", async () => {
    await using media = await sendingPng();
    const [path, body] = shows[client](media.url("/a.png"), "to-generate-content");
    await using refusing = await stage(media, { fetch: false });
    const refused = await refusing.post(path, body);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/media\.fetch/);

    await using gateway = await stage(media);
    for (const model of clients.map((each) => `to-${each}`)) {
      const sent = await gateway.post(...shows[client](media.url("/a.png"), model));
      expect(sent.status).toBe(200);
    }
    for (const text of upstreamBodies(gateway)) expect(text).toContain(media.url("/a.png"));
    expect(media.requests).toEqual([]);
  });

  test("S3 an address that leads inward is a 400 of the field: nothing is asked, sent or charged", async () => {
    await using media = await sendingPng();
    await using gateway = await stage(media, { allow: [] });
    for (const url of ["https://127.0.0.1/a.png", "https://inward.example.com/a.png"]) {
      const response = await gateway.post(...shows[client](url, "to-generate-content"));
      expect(response.status).toBe(400);
      const text = await response.text();
      expect(text).toContain(field[client]);
      expect(text).not.toContain("127.0.0.1");
    }
    expect(media.requests).toEqual([]);
    expect(gateway.sim.requests).toEqual([]);
    for (const call of await gateway.calls()) expect(call).toMatchObject({ outcome: "refused", charge: 0n });
    expect(await purseOf(gateway)).toEqual({ balance: dollar, reserved: 0n });
  });

  test("M2 a file beyond the bounds is a 413", async () => {
    await using media = await serving(
      (response) => void response.writeHead(200, { "content-length": 11 * 1024 * 1024 }).write(png),
    );
    await using gateway = await stage(media);
    const response = await gateway.post(...shows[client](media.url("/a.png"), "to-generate-content"));
    expect(response.status).toBe(413);
    expect(await purseOf(gateway)).toEqual({ balance: dollar, reserved: 0n });
  });
});

describe("M2 fetching and money", () => {
  it("who cannot pay makes the gateway fetch nothing", async () => {
    await using media = await sendingPng();
    await using gateway = await stage(media);
    await gateway.withDatabase(({ write, build }) =>
      write([build.updateTable("account").set({ balance: 0n }).compile()]),
    );
    const response = await gateway.post(...shows.messages(media.url("/a.png"), "to-generate-content"));
    expect(response.status).toBe(403);
    expect(media.requests).toEqual([]);
  });

  it("one call fetches once, however many channels are tried", async () => {
    await using media = await sendingPng();
    let tries = 0;
    await using gateway = await stage(media, {
      channels: (url) => ["first", "second"].map((name) => simChannel(url, "generate-content", { name })),
      script: () => (++tries > 1 ? answer({ usage }) : answer({ fault: { kind: "http-error", status: 503 } })),
    });
    const response = await gateway.post(...shows.messages(media.url("/a.png"), "to-generate-content"));
    expect(response.status).toBe(200);
    expect(gateway.sim.requests).toHaveLength(2);
    expect(media.requests).toHaveLength(1);
  });

  it("a channel that fetches itself serves what the gateway cannot fetch", async () => {
    await using media = await serving((response) => void response.writeHead(404).end());
    await using gateway = await stage(media, {
      channels: (url) => [
        simChannel(url, "generate-content", { name: "first" }),
        simChannel(url, "responses", {
          name: "second",
          models: [{ id: "to-generate-content", upstreamId: "sandbox" }],
        }),
      ],
    });
    const response = await gateway.post(...shows.messages(media.url("/a.png"), "to-generate-content"));
    expect(response.status).toBe(200);
    expect(upstreamBodies(gateway)).toEqual([expect.stringContaining(media.url("/a.png"))]);
  });

  it("a caller who leaves ends the fetch, and pays nothing", async () => {
    let left = () => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using media = await serving((response) => {
      response.on("close", left);
      reached();
    });
    await using gateway = await stage(media);
    const [path, body] = shows.messages(media.url("/a.png"), "to-generate-content");
    const call = request(gateway.address + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${testKey}`,
        "anthropic-version": "2023-06-01",
      },
    });
    call.on("error", () => undefined);
    call.end(JSON.stringify(body));
    await asked;
    call.destroy();
    await gone;
    await gateway.gateway.close({ drainMs: 1000 });
    expect(await gateway.calls()).toMatchObject([{ outcome: "client_closed", charge: 0n }]);
    expect(gateway.sim.requests).toEqual([]);
  });

  it("a count of tokens fetches nothing: it is estimated", async () => {
    await using media = await sendingPng();
    await using gateway = await stage(media);
    const [, body] = shows.messages(media.url("/a.png"), "to-generate-content");
    const response = await gateway.post("/v1/messages/count_tokens", { ...body, max_tokens: undefined });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-interlingua-estimated")).toBe("true");
    expect(media.requests).toEqual([]);
  });

  it("a shutdown in the middle ends the call by an error", async () => {
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using media = await serving(reached);
    await using gateway = await stage(media);
    const answered = gateway.post(...shows.messages(media.url("/a.png"), "to-generate-content"));
    await asked;
    await gateway.gateway.close({ drainMs: 0 });
    expect((await answered).status).toBe(503);
  });
});
