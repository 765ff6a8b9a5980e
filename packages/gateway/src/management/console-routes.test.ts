import { mkdirSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sqliteDatabase } from "../testing/database-engines.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { startTestConsole } from "../testing/test-console.ts";

const script = "console.log(1);".repeat(100);

/** A console as the build leaves it. */
function builtConsole() {
  const directory = temporaryDirectory();
  mkdirSync(directory.file("assets"));
  const files: Record<string, string | Uint8Array> = {
    "index.html": '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><title>Interlingua</title>',
    "icon.svg": "<svg/>",
    ".stamp": "abc",
    "assets/index-a1.js": script,
    "assets/index-a1.js.br": brotliCompressSync(script),
    "assets/index-a1.js.gz": gzipSync(script),
    "assets/index-a1.js.map": "{}",
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(directory.file(name), bytes);
  return directory;
}

async function scene() {
  const directory = builtConsole();
  const place = await startTestConsole(await sqliteDatabase(), { consoleDirectory: directory.path });
  return {
    ...place,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

const pages = [
  "/",
  "/a/acct_a/keys",
  "/operator",
  "/operator/channels",
  "/profile",
  "/sign-in",
  "/models?x=1",
  "/setup",
];

test("S6 each page comes with a nonce of its own, which its policy names", async () => {
  await using place = await scene();
  const nonces = new Set<string>();
  for (const path of pages) {
    const { status, headers, body } = await place.browser().get(path);
    expect(status, path).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    const [, nonce = ""] = /nonce="([^"]+)"/.exec(body) ?? [];
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain(`script-src 'self'; style-src 'self' 'nonce-${nonce}';`);
    expect(policy).not.toContain("unsafe");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(pages.length);
});

test("assets are kept for ever and come in the form that is taken", async () => {
  await using place = await scene();
  const forms: [string, string | null][] = [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", null],
  ];
  for (const [accepted, encoding] of forms) {
    const answer = await place.browser().get("/assets/index-a1.js", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding"), accepted).toBe(encoding);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(answer.body).toBe(script);
  }
  const icon = await place.browser().get("/icon.svg");
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
});

test("nothing but the console's own files is to be had", async () => {
  await using place = await scene();
  for (const path of [
    "/assets/none.js",
    "/assets/index-a1.js.map",
    "/assets/index-a1.js.br",
    "/assets/%2e%2e/index.html",
    "/assets/..%2findex.html",
    "/assets/",
  ]) {
    const answer = await place.browser().get(path);
    expect(answer.status, path).toBe(404);
    expect(answer.body.error.code, path).toBe("not_found");
  }
});

test("a console that is not built says what to do", async () => {
  await using place = await startTestConsole(await sqliteDatabase());
  const answer = await place.browser().get("/");
  expect(answer.status).toBe(503);
  expect(answer.body).toContain("npm run build");
});

test("S1 what browsers report of a page is logged without what may be a secret", async () => {
  await using place = await scene();
  const browser = place.browser();
  const report = {
    "csp-report": {
      "effective-directive": "script-src-elem",
      "blocked-uri": "https://user:pass@evil.example/x.js?token=s3cret#s3cret",
      "document-uri": `${place.address}/setup?token=s3cret`,
      "script-sample": "s3cret",
    },
  };
  const headers = { "content-type": "application/csp-report" };
  expect((await browser.post("/api/csp-reports", report, headers)).status).toBe(204);
  const line = place.log.find((each) => each.includes("content security policy"));
  expect(line).toContain('"reason":"script-src-elem"');
  expect(line).toContain('"detail":"https://evil.example/x.js"');
  expect(place.log.join()).not.toContain("s3cret");
  expect((await browser.post("/api/csp-reports", { x: "y".repeat(9000) }, headers)).status).toBe(413);
  const statuses: number[] = [];
  for (let turn = 0; turn < 125; turn++) statuses.push((await browser.post("/api/csp-reports", {}, headers)).status);
  expect(statuses.at(-1)).toBe(429);
});
