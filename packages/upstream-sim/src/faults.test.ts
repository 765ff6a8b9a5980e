import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Protocol } from "./protocol.ts";
import type { Fault, Script } from "./script.ts";
import { scriptHeaderValue } from "./script-header.ts";
import type { UpstreamSim } from "./server.ts";
import { HEADERS, testSim } from "./testing/test-sim.ts";

const CALLS: Record<Protocol, { path: string; body: object }> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "m", stream: true, messages: [{ role: "user", content: "x" }] },
  },
  responses: { path: "/v1/responses", body: { model: "m", stream: true, input: "x" } },
  messages: {
    path: "/v1/messages",
    body: { model: "m", stream: true, max_tokens: 100, messages: [{ role: "user", content: "x" }] },
  },
  "generate-content": {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: { contents: [{ parts: [{ text: "x" }] }] },
  },
};
const PROTOCOLS: Protocol[] = ["chat-completions", "responses", "messages", "generate-content"];

/** The end marks by which a reader knows that an answer is whole. */
const END: Record<Protocol, RegExp> = {
  "chat-completions": /\[DONE\]/,
  responses: /response\.completed/,
  messages: /message_stop/,
  "generate-content": /"finishReason"/,
};

function call(sim: UpstreamSim, protocol: Protocol, init: RequestInit = {}): Promise<Response> {
  const { path, body } = CALLS[protocol];
  return fetch(sim.url + path, { method: "POST", headers: HEADERS, body: JSON.stringify(body), ...init });
}

async function faultySim(fault: Fault, more: Partial<Script> = {}): Promise<UpstreamSim> {
  return testSim({ script: { steps: [{ kind: "text", text: "one two three größer 🌍 six" }], fault, ...more } });
}

/** Everything that arrives, also where the connection breaks off. */
async function readAll(response: Response): Promise<{ text: string; broken: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

describe.each(PROTOCOLS)("faults in %s", (protocol) => {
  it("gives an HTTP error in the family's form, with the script's headers", async () => {
    const sim = await faultySim({ kind: "http-error", status: 503, headers: { "retry-after": "7" } });
    const response = await call(sim, protocol);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toMatchObject({ error: { message: "Simulated error 503." } });
  });

  it("cuts the connection after n events", async () => {
    const sim = await faultySim({ kind: "cut", afterEvents: 2 });
    const { text, broken } = await readAll(await call(sim, protocol));
    expect(broken).toBe(true);
    expect(text.split(/\r?\n\r?\n/).filter((event) => event !== "")).toHaveLength(2);
  });

  it("cuts the connection after n bytes", async () => {
    const sim = await faultySim({ kind: "cut", afterBytes: 11 });
    const { text, broken } = await readAll(await call(sim, protocol));
    expect([text.length, broken]).toEqual([11, true]);
  });

  it("closes its side without the end of the body", async () => {
    const sim = await faultySim({ kind: "half-close", afterEvents: 1 });
    expect((await readAll(await call(sim, protocol))).broken).toBe(true);
  });

  it("ends the body properly in the middle of the answer", async () => {
    const sim = await faultySim({ kind: "end", afterEvents: 1 });
    const { text, broken } = await readAll(await call(sim, protocol));
    expect(broken).toBe(false);
    expect(text).not.toMatch(END[protocol]);
  });

  it("leaves the end mark out, and has it otherwise", async () => {
    const sim = await faultySim({ kind: "no-terminal" });
    expect((await readAll(await call(sim, protocol))).text).not.toMatch(END[protocol]);
    sim.setScript({ steps: [{ kind: "text", text: "whole" }] });
    expect((await readAll(await call(sim, protocol))).text).toMatch(END[protocol]);
  });

  it("sends an error inside the answer and nothing after it", async () => {
    const sim = await faultySim({ kind: "error-event", afterEvents: 1, error: "unavailable", message: "busy now" });
    const response = await call(sim, protocol);
    const { text } = await readAll(response);
    expect(response.status).toBe(200);
    expect(text).toContain("busy now");
    expect(text).not.toMatch(END[protocol]);
  });

  it("breaks the JSON of one event and goes on", async () => {
    const sim = await faultySim({ kind: "broken-json", afterEvents: 1 });
    const { text } = await readAll(await call(sim, protocol));
    const data = [...text.matchAll(/^data: (.*?)\r?$/gm)].map((match) => match[1] ?? "");
    const broken = data.filter((line) => line !== "[DONE]" && !isJson(line));
    expect(broken).toHaveLength(1);
    expect(text).toMatch(END[protocol]);
  });

  it("puts bytes that are no UTF-8 into an event", async () => {
    const sim = await faultySim({ kind: "broken-utf8", afterEvents: 1 });
    const bytes = await (await call(sim, protocol)).arrayBuffer();
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
  });

  it("puts garbage between two events", async () => {
    const sim = await faultySim({ kind: "garbage", afterEvents: 1 });
    const bytes = Buffer.from(await (await call(sim, protocol)).arrayBuffer());
    expect(bytes.includes(Buffer.from([255, 254, 253]))).toBe(true);
  });

  it("sends an event of 9 MiB", async () => {
    const sim = await faultySim({ kind: "huge-event", afterEvents: 1 });
    const { text } = await readAll(await call(sim, protocol));
    expect(text.length).toBeGreaterThan(9 * 1024 * 1024);
    expect(text).toMatch(END[protocol]);
  });

  it("never ends an endless body", async () => {
    const sim = await faultySim({ kind: "endless" });
    const leave = new AbortController();
    const response = await call(sim, protocol, { signal: leave.signal });
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > 1024 * 1024) break;
    }
    leave.abort();
    expect(size).toBeGreaterThan(1024 * 1024);
  });

  it("trickles the same bytes as it would send at once", async () => {
    const waits: number[] = [];
    const steps: Script["steps"] = [{ kind: "text", text: "größer 🌍" }];
    const plain = await testSim({ script: { steps } });
    const expected = (await readAll(await call(plain, protocol))).text;
    const slow = await testSim({
      script: { steps, fault: { kind: "trickle", bytes: 7, everyMs: 1000 } },
      delay: async (ms) => {
        waits.push(ms);
      },
    });
    expect((await readAll(await call(slow, protocol))).text).toBe(expected);
    expect(waits).toHaveLength(Math.ceil(Buffer.byteLength(expected) / 7));
  });

  it("puts keep-alive comments between events", async () => {
    const sim = await faultySim({ kind: "comments" });
    expect((await readAll(await call(sim, protocol))).text).toMatch(/^: keep-alive$/m);
  });

  it("reports usage not at all, twice, negative, huge, or as text", async () => {
    const sim = await testSim();
    const text = async (usage: Script["usage"]) => {
      sim.setScript({ steps: [{ kind: "text", text: "x" }], usage });
      const { path, body } = CALLS[protocol];
      const options = protocol === "chat-completions" ? { stream_options: { include_usage: true } } : {};
      const init = { method: "POST", headers: HEADERS, body: JSON.stringify({ ...body, ...options }) };
      return (await readAll(await fetch(sim.url + path, init))).text;
    };
    const counters = /"(?:completion_tokens|output_tokens|candidatesTokenCount)":/g;
    const exact = (await text({ input: 5, output: 7 })).match(counters)?.length ?? 0;
    expect(exact).toBeGreaterThan(0);
    expect(await text("none")).not.toMatch(counters);
    expect((await text("twice")).match(counters)?.length).toBeGreaterThan(exact);
    expect(await text("negative")).toMatch(/[tT]okens?(?:Count)?":-\d/);
    expect(await text("huge")).toContain("18446744073709552000");
    expect(await text("not-a-number")).toMatch(/[tT]okens?(?:Count)?":"NaN"/);
  });
});

describe("faults of the transport", () => {
  it("stalls before the headers until the client leaves", async () => {
    const sim = await faultySim({ kind: "stall-before-headers" });
    const leave = new AbortController();
    const pending = call(sim, "messages", { signal: leave.signal });
    while (sim.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leave.abort();
    await expect(pending).rejects.toThrow();
  });

  it("stalls after n events, and goes on where the script says so", async () => {
    const sim = await faultySim({ kind: "stall", afterEvents: 1, ms: 60_000 });
    expect((await readAll(await call(sim, "messages"))).text).toMatch(END.messages);
    sim.setScript({ fault: { kind: "stall", afterEvents: 1 } });
    const leave = new AbortController();
    const reader = (await call(sim, "messages", { signal: leave.signal })).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain("message_start");
    const next = reader?.read();
    leave.abort();
    await expect(next).rejects.toThrow();
  });

  it("gives an HTML page with status 200, an empty body, and a redirect", async () => {
    const sim = await faultySim({ kind: "html" });
    expect(await (await call(sim, "responses")).text()).toMatch(/^<!doctype html>/);
    sim.setScript({ fault: { kind: "empty-body" } });
    expect(await (await call(sim, "responses")).text()).toBe("");
    sim.setScript({ fault: { kind: "redirect", status: 308, location: "http://127.0.0.1:9/elsewhere" } });
    const response = await call(sim, "responses", { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([308, "http://127.0.0.1:9/elsewhere"]);
  });

  it("sends a small body that unpacks to a big one", async () => {
    const sim = await faultySim({ kind: "gzip-bomb", bytes: 1024 * 1024 });
    const raw = await rawAnswer(sim);
    expect(raw.toString("latin1")).toContain("content-encoding: gzip");
    const start = raw.indexOf(Buffer.from([0x1f, 0x8b]));
    expect(raw.length).toBeLessThan(10_000);
    expect(gunzipSync(raw.subarray(start, raw.lastIndexOf("\r\n0\r\n"))).length).toBe(1024 * 1024);
  });

  it("names two content codings", async () => {
    const sim = await faultySim({ kind: "two-codings" });
    const response = await call(sim, "messages");
    expect(response.headers.get("content-encoding")).toBe("gzip, br");
    expect(await response.text()).toMatch(END.messages);
  });

  it("sends bytes after the end of the answer", async () => {
    const sim = await faultySim({ kind: "surplus" });
    expect((await rawAnswer(sim)).toString("utf8")).toMatch(
      /\r\n0\r\n\r\nHTTP\/1\.1 200 OK\r\ncontent-length: 9\r\n\r\nunwanted!$/,
    );
  });

  it("replays recorded bytes as they are, in the pieces it is told", async () => {
    const body = Buffer.from('data: {"größer":"🌍"}\n\n');
    const sim = await testSim({
      script: { fault: { kind: "replay", contentType: "text/event-stream", body, chunkSizes: [3, 1] } },
    });
    const response = await fetch(`${sim.url}/v1/messages`, { method: "POST", body: "not even JSON" });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
    sim.setScript({ fault: { kind: "replay", status: 418, contentType: "text/plain", body: [body, body] } });
    const twice = await fetch(`${sim.url}/v1/messages`, { method: "POST", body: "{}" });
    expect([twice.status, (await twice.arrayBuffer()).byteLength]).toEqual([418, body.length * 2]);
  });

  it("cuts the wire into single bytes without changing them", async () => {
    const sim = await testSim({ script: { steps: [{ kind: "text", text: "größer 🌍" }] } });
    const whole = await (await call(sim, "generate-content")).text();
    sim.setScript({ steps: [{ kind: "text", text: "größer 🌍" }], wireChunk: 1 });
    const cut = await (await call(sim, "generate-content")).text();
    expect(cut.replaceAll(/id\d+/g, "")).toBe(whole.replaceAll(/id\d+/g, ""));
  });

  it("takes a script from the header, by name or as JSON, and refuses a broken one", async () => {
    const sim = await testSim();
    const ask = (header: string) => call(sim, "messages", { headers: { ...HEADERS, "x-sim-script": header } });
    expect((await ask("error-529")).status).toBe(529);
    expect((await ask(scriptHeaderValue({ fault: { kind: "http-error", status: 402 } }))).status).toBe(402);
    expect((await ask("no such script")).status).toBe(400);
  });
});

/** The answer's bytes as they stand on the wire. */
function rawAnswer(sim: UpstreamSim): Promise<Buffer> {
  const body = JSON.stringify(CALLS.messages.body);
  const head = Object.entries({ ...HEADERS, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(sim.port, "127.0.0.1", () => {
      socket.write(`POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}\r\n${body}`);
    });
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("end", () => resolve(Buffer.concat(chunks)));
    socket.on("error", reject);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
