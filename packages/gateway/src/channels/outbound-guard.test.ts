import { createServer } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { addressKind } from "./outbound-addresses.ts";
import { createOutboundGuard } from "./outbound-guard.ts";
import { createUndiciClient } from "./undici-client.ts";

const internal = [
  "0.0.0.0",
  "0.255.255.255",
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.0.1",
  "169.254.255.255",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.0",
  "192.168.255.255",
  "198.18.0.0",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:0a00:0001",
  "::ffff:192.168.1.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "2002:0a00:0001::",
  "2002:7f00:1::1",
  "2002:c0a8:0101::",
  "2001::1",
  "2001:0:1234::1",
  "2001:db8::1",
  "fc00::1",
  "fdff:ffff::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "ff0e::1",
  "1fff::1",
  "4000::1",
  "no address",
  "",
] as const;

const open = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700::1111",
  "2a00:1450::1",
  "2001:4860:4860::8888",
  "::ffff:1.1.1.1",
  "64:ff9b::8.8.8.8",
  "2002:0808:0808::1",
] as const;

const metadata = [
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b::a9fe:a9fe",
  "2002:a9fe:a9fe::",
  "fd00:ec2::254",
] as const;

describe("S3 the kind of an address", () => {
  it.each(internal)("%s is internal", (address) => expect(addressKind(address)).toBe("internal"));
  it.each(open)("%s is public", (address) => expect(addressKind(address)).toBe("public"));
  it.each(metadata)("%s is a metadata service", (address) => expect(addressKind(address)).toBe("metadata"));
});

describe("S3 a base address", () => {
  const strict = createOutboundGuard({ settings: { allow: [] } });
  it.each([
    ["http://api.example.com/v1", /https/],
    ["https://user:word@api.example.com", /user or password/],
    ["https://api.example.com:8443/v1", /port 443/],
    ["https://127.0.0.1/v1", /internal/],
    ["https://0x7f000001/v1", /internal/],
    ["https://2130706433/v1", /internal/],
    ["https://0177.0.0.1/v1", /internal/],
    ["https://127.1/v1", /internal/],
    ["https://[::1]/v1", /internal/],
    ["https://[::ffff:10.0.0.1]/v1", /internal/],
    ["https://169.254.169.254/latest", /internal/],
    ["https://metadata.google.internal/", /internal/],
    ["https://metadata.google.internal./", /internal/],
    ["file:///etc/passwd", /https/],
    ["no address", /no address/],
  ])("%s is refused", (address, why) => expect(strict.refusal(address)).toMatch(why));
  it.each(["https://api.example.com/v1", "https://api.example.com:443", "https://1.1.1.1/v1"])("%s may be", (address) =>
    expect(strict.refusal(address)).toBeUndefined(),
  );

  const named = createOutboundGuard({
    settings: { allow: ["ollama.lan:11434", "gpu.lan", "10.1.0.0/16", "[::1]:9000"] },
  });
  it.each([
    "http://ollama.lan:11434/v1",
    "http://gpu.lan:8000",
    "https://gpu.lan",
    "http://10.1.2.3:8000",
    "http://[::1]:9000",
  ])("%s may be where it is named", (address) => expect(named.refusal(address)).toBeUndefined());
  it.each(["http://ollama.lan/v1", "http://10.2.0.1", "http://[::1]:9001", "https://127.0.0.1"])(
    "%s is another one than those named",
    (address) => expect(named.refusal(address)).toBeDefined(),
  );
  it("metadata services stay out of reach also where a range names them", () => {
    const wide = createOutboundGuard({
      settings: { allow: ["169.254.0.0/16", "0.0.0.0/0", "metadata.google.internal"] },
    });
    expect(wide.refusal("https://169.254.169.254/")).toMatch(/internal/);
    expect(wide.refusal("http://metadata.google.internal/")).toMatch(/internal/);
  });
});

describe("S3 a connection", () => {
  const answering =
    (...addresses: string[]): LookupFunction =>
    (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );

  /** Asks a server of this machine under a name of the internet, and tells what came of it and whether the server was asked. */
  async function ask(allow: readonly string[], origin: (port: number) => string, lookup: LookupFunction) {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.writeHead(302, { location: "http://127.0.0.1/" }).end("moved");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Of a TCP server, once it listens.
    const target = origin((server.address() as AddressInfo).port);
    const guard = createOutboundGuard({ settings: { allow }, lookup });
    const client = createUndiciClient(target, {
      connectTimeoutMs: 3000,
      headerBytes: 16_384,
      connect: guard.connector(target, 3000),
    });
    try {
      const outcome = await new Promise<string>((resolve) => {
        client.send(
          { method: "GET", path: "/", headers: {}, body: null, headersTimeoutMs: 3000, bodyTimeoutMs: 3000 },
          {
            connected: () => undefined,
            start: (status) => resolve(String(status)),
            data: () => undefined,
            end: () => undefined,
            error: ({ kind, detail }) => resolve(`${kind} ${detail}`),
          },
        );
      });
      return { outcome, asked };
    } finally {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it("is not made to a name that leads inward, nor where one of its addresses does", async () => {
    const named = (port: number) => `http://inward.example.com:${port}`;
    for (const lookup of [answering("127.0.0.1"), answering("1.1.1.1", "127.0.0.1"), answering("::ffff:127.0.0.1")]) {
      const { outcome, asked } = await ask([], named, lookup);
      expect(outcome).toMatch(/^connect ERR_ADDRESS_NOT_ALLOWED/);
      expect(asked).toBe(0);
    }
  });

  it("is not made to an address that is written as such", async () => {
    const { outcome, asked } = await ask([], (port) => `http://127.0.0.1:${port}`, answering("1.1.1.1"));
    expect(outcome).toMatch(/^connect ERR_ADDRESS_NOT_ALLOWED/);
    expect(asked).toBe(0);
  });

  it("is made where the configuration names host, address or range, and a redirect is an answer like any other", async () => {
    const inward = answering("127.0.0.1");
    expect(await ask(["inward.example.com"], (port) => `http://inward.example.com:${port}`, inward)).toEqual({
      outcome: "302",
      asked: 1,
    });
    expect(await ask(["127.0.0.0/8"], (port) => `http://inward.example.com:${port}`, inward)).toMatchObject({
      asked: 1,
    });
    expect(await ask(["127.0.0.1"], (port) => `http://127.0.0.1:${port}`, inward)).toMatchObject({ asked: 1 });
  });
});
