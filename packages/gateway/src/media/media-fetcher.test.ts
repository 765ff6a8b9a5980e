import type { IncomingMessage, ServerResponse } from "node:http";
import { ProtocolError } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createOutboundGuard } from "../channels/outbound-guard.ts";
import type { Config } from "../config/config.ts";
import { type MediaServer, startMediaServer } from "../testing/media-server.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import { createMediaFetcher } from "./media-fetcher.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n and what follows", "latin1");
const field = "messages[0].content[1]";

interface Scene {
  allow?: readonly string[];
  answers?: Readonly<Record<string, readonly string[]>>;
  media?: Partial<Config["media"]>;
}

/** A fetcher before this server, with what it logged. */
function fetcherFor(server: MediaServer, { allow = [server.place], answers, media = {} }: Scene = {}) {
  const platform = testPlatform();
  const log: string[] = [];
  const fetcher = createMediaFetcher({
    settings: {
      media: {
        fetch: true,
        fileBytes: 1000,
        callBytes: 3000,
        heldBytes: 5000,
        files: 3,
        timeoutMs: 10_000,
        ...media,
      },
      // The bounds that this part asks for.
      upstream: { connectTimeoutMs: 3000 } as Config["upstream"],
      limits: { headerBytes: 16_384 } as Config["limits"],
    },
    guard: createOutboundGuard({ settings: { allow }, ...server.network(answers) }),
    timers: createTimerWheel(platform.every, platform.monotonic),
    log: { warn: (event, fields) => log.push(`${event} ${fields?.reason} ${fields?.detail}`) },
  });
  return { fetcher, platform, log };
}

/** What came of one address: the media type, or the error's status, code and message. */
async function outcome(server: MediaServer, url: string, scene: Scene = {}) {
  const { fetcher, log } = fetcherFor(server, scene);
  const call = fetcher.open("call_1");
  const told = await call.fetch([{ url, field }]).then(
    (media) => media.get(url)?.mediaType ?? "nothing",
    (cause: unknown) => {
      if (!(cause instanceof ProtocolError)) throw cause;
      const { status, code, param, message } = cause.error;
      expect(param).toBe(field);
      return `${status} ${code} ${message}`;
    },
  );
  call.close();
  return { told, log };
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const serving = (answer: Answer) => startMediaServer((request, response) => answer(response, request));
const sending = (bytes: Buffer | string, headers: Record<string, string> = {}) =>
  serving((response) => void response.writeHead(200, headers).end(bytes));

describe("M2 media from an address", () => {
  it("come as bytes with the type that they are, once for all places, and nothing of ourselves is told", async () => {
    await using server = await sending(png, { "content-type": "image/jpeg", "set-cookie": "a=b" });
    const { fetcher } = fetcherFor(server);
    const call = fetcher.open("call_1");
    const url = server.url("/a.png?size=2");
    const places = [field, "messages[2].content[0]"].map((each) => ({ url, field: each }));
    const media = await call.fetch(places);
    expect([...media]).toEqual([[url, { mediaType: "image/png", data: png.toString("base64") }]]);
    await call.fetch(places);
    expect(server.requests.map((request) => [request.method, request.url])).toEqual([["GET", "/a.png?size=2"]]);
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
    call.close();
  });

  it.each([
    ["http://media.example.com/a.png", "another scheme"],
    ["https://user:word@media.example.com/a.png", "credentials"],
    ["https://media.example.com:8443/a.png", "another port"],
    ["https://127.0.0.1/a.png", "loopback"],
    ["https://127.1/a.png", "loopback, short"],
    ["https://2130706433/a.png", "loopback, as a number"],
    ["https://0x7f.0.0.1/a.png", "loopback, hexadecimal"],
    ["https://0177.0.0.1/a.png", "loopback, octal"],
    ["https://0.0.0.0/a.png", "this machine"],
    ["https://10.0.0.1/a.png", "private"],
    ["https://172.16.5.4/a.png", "private"],
    ["https://192.168.1.1/a.png", "private"],
    ["https://100.64.0.1/a.png", "shared"],
    ["https://169.254.1.1/a.png", "link-local"],
    ["https://169.254.169.254/latest/meta-data/", "metadata"],
    ["https://metadata.google.internal/", "metadata by name"],
    ["https://METADATA.google.internal./", "metadata by its full name"],
    ["https://198.18.0.1/a.png", "benchmarks"],
    ["https://203.0.113.1/a.png", "documentation"],
    ["https://224.0.0.1/a.png", "multicast"],
    ["https://240.0.0.1/a.png", "reserved"],
    ["https://255.255.255.255/a.png", "broadcast"],
    ["https://[::]/a.png", "unspecified"],
    ["https://[::1]/a.png", "loopback"],
    ["https://[fc00::1]/a.png", "unique local"],
    ["https://[fe80::1]/a.png", "link-local"],
    ["https://[ff02::1]/a.png", "multicast"],
    ["https://[::ffff:127.0.0.1]/a.png", "mapped"],
    ["https://[::ffff:a9fe:a9fe]/a.png", "mapped metadata"],
    ["https://[64:ff9b::10.0.0.1]/a.png", "NAT64"],
    ["https://[2002:7f00:1::]/a.png", "6to4"],
    ["https://[2001::1]/a.png", "Teredo"],
    ["https://[fd00:ec2::254]/a.png", "metadata"],
    ["https:\\\\127.0.0.1\\a.png", "backslashes"],
    ["https://①②⑦.0.0.1/a.png", "digits of another script"],
    ["ftp://media.example.com/a.png", "another scheme"],
    ["https://", "no address"],
  ])("S3 %s is refused before any connection (%s)", async (url) => {
    await using server = await sending(png);
    const { told, log } = await outcome(server, url, { allow: [] });
    expect(told).toMatch(/^400 url_not_allowed/);
    expect(server.lookups).toEqual([]);
    expect(log).toEqual([]);
  });

  it.each([
    [["127.0.0.1"], "127.0.0.1"],
    [["1.1.1.1", "10.0.0.1"], "10.0.0.1"],
    [["::ffff:127.0.0.1"], "::ffff:127.0.0.1"],
    [["fe80::1"], "fe80::1"],
    [["169.254.169.254"], "169.254.169.254"],
  ])(
    "S3 a name that leads to %s is never connected to, and the caller is not told where it leads",
    async (found, bad) => {
      await using server = await sending(png);
      const { told, log } = await outcome(server, "https://inward.example.com/a.png", {
        answers: { "inward.example.com": found },
      });
      expect(told).toBe(`400 url_fetch_failed '${field}' could not be fetched.`);
      expect(log).toEqual([expect.stringContaining(`ERR_ADDRESS_NOT_ALLOWED inward.example.com leads to ${bad}`)]);
      expect(server.requests).toEqual([]);
    },
  );

  it("S3 a name is looked up once, and the address that was checked is the one that is connected to", async () => {
    await using server = await sending(png);
    const { told } = await outcome(server, server.url("/a.png"));
    expect(told).toBe("image/png");
    expect(server.lookups).toEqual(["media.example.com"]);
  });

  it("S3 a server without a certificate that is trusted is not read", async () => {
    await using server = await sending(png);
    const other = server.url("/a.png", "media.example.org");
    const { told, log } = await outcome(server, other, { allow: ["media.example.org"] });
    expect(told).toMatch(/^400 url_fetch_failed/);
    expect(log).toEqual([expect.stringContaining("remote media could not be fetched tls")]);
    expect(server.requests).toEqual([]);
  });
});

describe("M2 redirects", () => {
  /** `/3` leads to `/2`, and `/0` to the picture. */
  const chain: Answer = (response, { url = "" }) => {
    const left = Number(url.slice(1));
    if (left === 0) response.writeHead(200).end(png);
    else response.writeHead(302, { location: `/${left - 1}` }).end("moved");
  };

  it("are followed three times, and no further", async () => {
    await using server = await serving(chain);
    expect((await outcome(server, server.url("/3"))).told).toBe("image/png");
    expect((await outcome(server, server.url("/4"))).told).toMatch(/^400 url_fetch_failed .*redirected too often/);
    expect(server.requests).toHaveLength(8);
  });

  it.each([
    "https://127.0.0.1/",
    "http://media.example.com/a.png",
    "https://[::1]/",
    "https://169.254.169.254/latest/",
    "//10.0.0.1/a.png",
    "file:///etc/passwd",
    "javascript:1",
  ])("S3 to %s are refused like an address of the caller's", async (location) => {
    await using server = await serving((response) => void response.writeHead(301, { location }).end());
    const { told } = await outcome(server, server.url("/a.png"));
    expect(told).toMatch(/^400 url_not_allowed/);
    expect(server.requests).toHaveLength(1);
  });

  it("S3 to a name that leads inward are not followed, be it one that led elsewhere before", async () => {
    await using server = await serving(
      (response) => void response.writeHead(307, { location: "https://second.example.com/" }).end(),
    );
    const { told, log } = await outcome(server, server.url("/a.png"), {
      answers: { "second.example.com": ["127.0.0.1"] },
    });
    expect(told).toMatch(/^400 url_fetch_failed/);
    expect(log).toEqual([expect.stringContaining("ERR_ADDRESS_NOT_ALLOWED second.example.com leads to 127.0.0.1")]);
    expect(server.requests).toHaveLength(1);
  });

  it("without a place to go are an error", async () => {
    await using server = await serving((response) => void response.writeHead(302).end());
    const told = (await outcome(server, server.url("/a.png"))).told;
    // An empty location is the page itself, so that it goes round.
    expect(told).toMatch(/^400 url_fetch_failed/);
  });
});

describe("M2 what an address may give", () => {
  it.each([
    ["a web page", "<!DOCTYPE html><html>secret words</html>", { "content-type": "text/html" }],
    ["a web page that is said to be an image", "<html>secret words</html>", { "content-type": "image/png" }],
    ["an image that is said to be a web page", png, { "content-type": "text/html" }],
    ["a script", '{"secret":"words"}', { "content-type": "application/json" }],
    ["nothing", "", {}],
  ])("%s is refused, and nothing of it is told", async (_name, body, headers) => {
    await using server = await sending(body, headers);
    const { told } = await outcome(server, server.url("/a"));
    expect(told).toMatch(/^400 unsupported_media_type/);
    expect(told).not.toMatch(/secret|words|html/);
  });

  it.each([404, 401, 500, 206, 204])("status %i is an error", async (status) => {
    await using server = await serving((response) => void response.writeHead(status).end("secret words"));
    const { told } = await outcome(server, server.url("/a"));
    expect(told).toBe(
      `400 url_fetch_failed '${field}' could not be fetched: its server answers with status ${status}.`,
    );
  });

  it("what is compressed unasked is not unpacked", async () => {
    await using server = await sending(png, { "content-encoding": "gzip" });
    expect((await outcome(server, server.url("/a"))).told).toMatch(/^400 url_fetch_failed .*compressed/);
  });

  it("a file of the very size may be, one byte more is 413, announced or not", async () => {
    const sized = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)]);
    await using fits = await sending(sized(1000));
    expect((await outcome(fits, fits.url("/a"))).told).toBe("image/png");
    await using announced = await serving(
      (response) => void response.writeHead(200, { "content-length": 1001 }).write("x"),
    );
    expect((await outcome(announced, announced.url("/a"))).told).toMatch(/^413 media_too_large .*1000B/);
    await using unannounced = await serving((response) => {
      response.writeHead(200);
      response.write(sized(900));
      response.end(Buffer.alloc(101));
    });
    expect((await outcome(unannounced, unannounced.url("/a"))).told).toMatch(/^413 media_too_large/);
  });

  it("an endless body is cut at the bound", async () => {
    let closed = () => {};
    const cut = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await using server = await serving((response) => {
      response.on("close", closed);
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(400)));
      };
      response.on("drain", more);
      more();
    });
    expect((await outcome(server, server.url("/a"))).told).toMatch(/^413 media_too_large/);
    await cut;
  });

  it.each(["head", "body"])("a server that is silent in its %s is left when the time is over", async (where) => {
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using server = await serving((response) => {
      if (where === "body") response.writeHead(200).write(png);
      reached();
    });
    const { fetcher, platform } = fetcherFor(server);
    const call = fetcher.open("call_1");
    const told = call.fetch([{ url: server.url("/a"), field }]).then(
      () => "fetched",
      (cause: Error) => cause.message,
    );
    await asked;
    platform.advance(10_000);
    expect(await told).toBe(`'${field}' could not be fetched: it did not come within 10s.`);
    call.close();
  });
});

describe("M2 the bounds of a call, and of the gateway", () => {
  const places = (server: MediaServer, ...paths: string[]) =>
    paths.map((path, index) => ({ url: server.url(path), field: `messages[0].content[${index}]` }));
  const refusedWith = (work: Promise<unknown>) =>
    work.then(
      () => "fetched",
      (cause: unknown) => (cause instanceof ProtocolError ? `${cause.error.status} ${cause.error.param}` : cause),
    );
  const sized = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)]);

  it("more addresses than a call may have are refused, before any of them is asked", async () => {
    await using server = await sending(png);
    const call = fetcherFor(server).fetcher.open("call_1");
    expect(await refusedWith(call.fetch(places(server, "/1", "/2", "/3", "/4")))).toBe("400 messages[0].content[3]");
    expect(server.requests).toEqual([]);
    expect(await refusedWith(call.fetch(places(server, "/1", "/2", "/3", "/1")))).toBe("fetched");
    call.close();
  });

  it("all files of a call together have a bound, and one that stands at many places counts as often", async () => {
    await using server = await sending(sized(900));
    const { fetcher } = fetcherFor(server, { media: { callBytes: 2000 } });
    const three = fetcher.open("call_1");
    expect(await refusedWith(three.fetch(places(server, "/1", "/2", "/3")))).toMatch(/^413/);
    three.close();
    const thrice = fetcher.open("call_2");
    expect(await refusedWith(thrice.fetch(places(server, "/1", "/1", "/1")))).toBe("413 messages[0].content[2]");
    thrice.close();
  });

  it("what all calls hold together has a bound, and a call that ends gives its room back", async () => {
    await using server = await sending(sized(900));
    const { fetcher } = fetcherFor(server, { media: { heldBytes: 1000 } });
    const first = fetcher.open("call_1");
    const second = fetcher.open("call_2");
    expect(await refusedWith(first.fetch(places(server, "/1")))).toBe("fetched");
    expect(await refusedWith(second.fetch(places(server, "/1")))).toBe("503 undefined");
    second.close();
    first.close();
    first.close();
    const third = fetcher.open("call_3");
    expect(await refusedWith(third.fetch(places(server, "/1")))).toBe("fetched");
    third.close();
  });

  it("a call that ends lets go of what it was fetching", async () => {
    let left = () => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using server = await serving((response) => {
      response.on("close", left);
      reached();
    });
    const call = fetcherFor(server).fetcher.open("call_1");
    const told = refusedWith(call.fetch(places(server, "/1")));
    await asked;
    call.close();
    expect(await told).toMatch(/^400/);
    await gone;
  });
});
