import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Pool } from "undici";
import { chatRequest, messagesRequest } from "./bodies.ts";

/**
 * CPU time per request and per stream event of the gateway's two lanes beside a bare proxy, in one run, from the
 * kernel's accounting of each process. Read ratios within one table; the machine is noisy.
 */
const root = resolve(import.meta.dirname, "..");
const key = "bench-key-of-this-run-only-0123456789";
const rounds = Number(process.env.ROUNDS ?? 5);

interface Target {
  name: string;
  pid: number;
  origin: string;
  path: string;
  request: (promptBytes: number, stream: boolean) => string;
}

interface Load {
  name: string;
  promptBytes: number;
  stream: boolean;
  requests: number;
  /** What one figure is divided by. */
  per: number;
}

const loads: readonly Load[] = [
  { name: "small, per request", promptBytes: 1_000, stream: false, requests: 2_000, per: 1 },
  { name: "large, per request", promptBytes: 100_000, stream: false, requests: 500, per: 1 },
  { name: "burst, per event", promptBytes: 1_000, stream: true, requests: 200, per: 300 },
];

const children: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), "interlingua-bench-"));

try {
  const upstream = await started("bench/upstream.ts");
  const bare = await started("bench/bare-proxy.ts", String(upstream.port));
  const gateway = await startGateway(upstream.port);
  const targets: Target[] = [
    {
      name: "bare proxy",
      pid: bare.pid,
      origin: `http://127.0.0.1:${bare.port}`,
      path: "/v1/chat/completions",
      request: chatRequest,
    },
    { name: "direct (chat)", ...gateway, path: "/v1/chat/completions", request: chatRequest },
    { name: "converted (messages on chat)", ...gateway, path: "/v1/messages", request: messagesRequest },
  ];
  for (const target of targets) for (const load of loads) await drive(target, load);

  for (const load of loads) {
    const figures = new Map<string, number[]>(targets.map((target) => [target.name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const target of targets) figures.get(target.name)?.push(await drive(target, load));
    }
    report(load, figures);
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

/** Runs one load and gives the target's CPU microseconds per unit. */
async function drive(target: Target, load: Load): Promise<number> {
  const pool = new Pool(target.origin, { connections: 32, pipelining: 1 });
  const body = target.request(load.promptBytes, load.stream);
  const before = cpuMicroseconds(target.pid);
  let left = load.requests;
  const worker = async () => {
    while (left-- > 0) {
      const answer = await pool.request({
        path: target.path,
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${key}`,
          "anthropic-version": "2023-06-01",
        },
        body,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        throw new Error(`${target.name} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  const used = cpuMicroseconds(target.pid) - before;
  await pool.close();
  return used / load.requests / load.per;
}

function report(load: Load, figures: Map<string, number[]>): void {
  console.log(`\n${load.name} (CPU microseconds, median of ${rounds})`);
  const yardstick = median(figures.get("bare proxy") ?? []);
  for (const [name, values] of figures) {
    const value = median(values);
    console.log(`  ${name.padEnd(30)} ${value.toFixed(2).padStart(9)}   ${(value / yardstick).toFixed(2)} x bare`);
  }
}

/** Time on the processor of all threads of a process so far, in nanosecond steps. Linux only: the kernel's own count. */
function cpuMicroseconds(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function started(script: string, ...args: string[]): Promise<{ pid: number; port: number }> {
  const child = spawn(process.execPath, [join(root, script), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const port = await new Promise<number>((done, failed) => {
    child.stdout?.once("data", (line) => done(Number(line)));
    child.once("exit", (code) => failed(new Error(`${script} ended with ${code}`)));
  });
  return { pid: child.pid ?? 0, port };
}

async function startGateway(upstreamPort: number): Promise<{ pid: number; origin: string }> {
  const port = await freePort();
  const config = join(folder, "interlingua.yaml");
  writeFileSync(
    config,
    `listen: 127.0.0.1:${port}
database: sqlite:${join(folder, "bench.db")}
channels:
  - name: bench
    protocols: [chat-completions]
    base_url: http://127.0.0.1:${upstreamPort}/v1
    api_key: bench
    models: [bench, bench-converted]
access_keys:
  - { name: bench, key: "${key}" }
limits: { requests_per_minute: 1000000000, tokens_per_minute: 1000000000, concurrency: 1000000 }
`,
  );
  const child = spawn(process.execPath, [join(root, "packages/gateway/src/main.ts"), "serve", "--config", config], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const ready = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return { pid: child.pid ?? 0, origin };
    if (attempt > 100) throw new Error("the gateway did not become ready");
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((done) => server.close(() => done()));
  return port;
}
