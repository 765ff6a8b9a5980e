import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { targets } from "./targets.ts";
import { watched } from "./watch.ts";

/*
 * Tries the conversion with broken and hostile input (T19), by hand: `npm run fuzz`. Ends with 1 where a promise was
 * broken, and tells how to see it again.
 *   FUZZ_SECONDS=600   how long
 *   FUZZ_SEED=1        where to begin; another one in each run unless told otherwise
 *   FUZZ_TARGET=proofs only the targets whose name holds this
 */
const seconds = Number(process.env.FUZZ_SECONDS || 600);
const firstSeed = Number(process.env.FUZZ_SEED || Date.now() % 2 ** 31);
const chosen = targets.filter(({ name }) => name.includes(process.env.FUZZ_TARGET ?? ""));
if (!(seconds > 0) || !Number.isSafeInteger(firstSeed) || chosen.length === 0) {
  console.error("FUZZ_SECONDS and FUZZ_SEED must be numbers, and FUZZ_TARGET part of a target's name.");
  process.exit(2);
}

/** Runs under one seed: small, so that what fails is soon found again. */
const runsAtOnce = 100;
/** What runs for longer than this hangs: the main thread cannot tell of itself. */
const hangMs = 60_000;
const guard = new Worker(new URL("./hang-guard.ts", import.meta.url), { workerData: { hangMs } });

console.log(`FUZZ_SEED=${firstSeed} for ${seconds} s: ${chosen.map(({ name }) => name).join(", ")}`);
const runs = new Map(chosen.map(({ name }) => [name, 0]));
const failures: string[] = [];
const until = performance.now() + seconds * 1000;
for (let seed = firstSeed; performance.now() < until; seed++) {
  for (const target of chosen) {
    if (failures.some((told) => told.startsWith(target.name))) continue;
    const again = `FUZZ_SEED=${seed} FUZZ_TARGET="${target.name}" FUZZ_SECONDS=1 npm run fuzz`;
    guard.postMessage(again);
    const numRuns = target.name.startsWith("long ") ? 5 : runsAtOnce;
    const outcome = await fc.check(target.property(watched), { seed, numRuns, interruptAfterTimeLimit: hangMs / 2 });
    runs.set(target.name, (runs.get(target.name) ?? 0) + outcome.numRuns);
    const polluted = Object.keys(Object.prototype);
    if (!outcome.failed && polluted.length === 0) continue;
    const why = polluted.length > 0 ? `all objects have got ${polluted.join()}` : String(outcome.errorInstance);
    failures.push(target.name);
    console.error(`\nFAILED ${target.name}: ${why}\n${stackOf(outcome.errorInstance)}`);
    console.error(`with ${JSON.stringify(outcome.counterexample, asText).slice(0, 20_000)}\nagain: ${again}\n`);
  }
  if (failures.length === chosen.length) break;
}
await guard.terminate();
for (const { name, close } of chosen) {
  try {
    await close?.();
  } catch (cause) {
    failures.push(name);
    console.error(`\nFAILED ${name}, at its end: ${cause}\n${stackOf(cause)}`);
  }
}
for (const [name, count] of runs) console.log(`${String(count).padStart(9)}  ${name}`);
console.log(failures.length === 0 ? "No promise was broken." : `Broken: ${failures.join(", ")}.`);
process.exit(failures.length === 0 ? 0 : 1);

/** Bytes as the text that they are. */
function asText(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const bytes = this[key];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("latin1") : value;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? "").split("\n").slice(1, 9).join("\n") : "";
}
