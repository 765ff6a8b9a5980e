import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({
    config: (base) => ({
      ...base,
      limits: { ...base.limits, bodyBytes: 100_000 },
      auth: { ...base.auth, failuresPerMinute: 1000 },
    }),
  });
});
afterAll(() => test[Symbol.asyncDispose]());

describe("raw HTTP", () => {
  /** All that comes back until the server closes, or until it is enough. */
  const answersTo = (text: string, isEnough: (answers: string) => boolean = () => false) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(test.address);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let answers = "";
      socket.on("data", (chunk) => {
        answers += chunk.toString("latin1");
        if (isEnough(answers)) socket.end();
      });
      socket.on("close", () => resolve(answers));
      socket.on("error", reject);
    });
  const hasHead = (answers: string) => answers.includes("\r\n\r\n");
  const statusOf = async (text: string) => Number((await answersTo(text, hasHead)).split(" ")[1]);
  const head = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n";

  it.each([
    ["both lengths", `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["two lengths", `${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabc`, 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["a large header", `${head}x: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["many headers", `${head}${"x-a: b\r\n".repeat(101)}\r\n`, 431],
    ["a long address", `GET /${"a".repeat(9000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 414],
    ["an upgrade", "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 426],
    ["TRACE", "TRACE / HTTP/1.1\r\nhost: x\r\n\r\n", 405],
    ["another expectation", `${head}expect: magic\r\ncontent-length: 2\r\n\r\n`, 417],
    ["an absolute target", "GET http://other/ HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["no HTTP at all", "hello\r\n\r\n", 400],
  ])("%s", async (_name, text, status) => {
    expect(await statusOf(text)).toBe(status);
  });

  it("A4 refuses a key before any byte of the body", async () => {
    // The body never comes: an answer shows that nobody waited for it.
    const text = `${head}authorization: Bearer wrong\r\ncontent-length: 5000\r\ncontent-type: application/json\r\n\r\n`;
    expect(await statusOf(text)).toBe(401);
    expect(await statusOf(text.replace("\r\n\r\n", "\r\nexpect: 100-continue\r\n\r\n"))).toBe(401);
  });

  it("a request behind another one is told to go on by its answer alone", async () => {
    const headers = `authorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n`;
    const last = `${head}${headers}expect: 100-continue\r\nconnection: close\r\n\r\n[]`;
    const text = await answersTo(`${head}${headers}\r\n[]${last}`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 400"]);
  });

  it("what is no HTTP behind a request is told of behind that request's answer", async () => {
    const headers = `authorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n`;
    const text = await answersTo(`${head}${headers}\r\n[]no http\r\n\r\nat all\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+|invalid_http|JSON object/g)).toEqual([
      "HTTP/1.1 400",
      "JSON object",
      "HTTP/1.1 400",
      "invalid_http",
    ]);
  });
});
