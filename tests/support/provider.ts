import { type ScriptSource, type SimRequest, startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { openDurableLog } from "./durable-log.ts";
import { seededRandom } from "./seeded-random.ts";

/** One attempt as the provider saw it: what a provider would bill. */
export interface BilledAttempt {
  /** The text by which the caller marked its prompt. */
  marker: string;
  protocol: string;
  inputTokens: number;
  outputTokens: number;
  /** Bytes of the answer that were handed to the connection; undefined while it runs. */
  bytes?: number;
  /** Whether the whole answer was handed over. */
  complete: boolean;
}

/** A simulated provider that keeps a bill. */
export interface Provider {
  sim: UpstreamSim;
  /** Every attempt so far, by marker. */
  bill: ReadonlyMap<string, readonly BilledAttempt[]>;
  close(): Promise<void>;
}

/** What the provider does with a marked prompt; the same for the same marker. */
export interface AnswerPlan {
  inputTokens: number;
  outputTokens: number;
  firstMs: number;
  everyMs: number;
}

export interface ProviderOptions {
  /** Where the bill is written, a line synced to disk before the first byte of an answer and one after its last. */
  billFile?: string;
  plan?: (marker: string) => AnswerPlan;
}

const markerForm = /mark-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g;

/** The marker in a request's body. In a conversation that goes on, those of earlier turns stand before it. */
function markerOf(request: SimRequest): string {
  return Buffer.from(request.body).toString("utf8").match(markerForm)?.at(-1) ?? "unmarked";
}

/** Some answers come at once, some take a while: a kill then finds calls in every phase. */
export function variedPlan(marker: string): AnswerPlan {
  const random = seededRandom(marker);
  return {
    inputTokens: random.between(20, 60),
    outputTokens: random.between(5, 60),
    firstMs: random.chance(0.3) ? random.between(1, 80) : 0,
    everyMs: random.chance(0.4) ? random.between(1, 15) : 0,
  };
}

/** The same for every call, at once. */
export const plainPlan = (): AnswerPlan => ({ inputTokens: 20, outputTokens: 5, firstMs: 0, everyMs: 0 });

export async function startProvider({ billFile, plan = variedPlan }: ProviderOptions = {}): Promise<Provider> {
  const log = billFile === undefined ? undefined : openDurableLog(billFile);
  const bill = new Map<string, BilledAttempt[]>();
  const running = new Map<SimRequest, BilledAttempt>();
  const script: ScriptSource = (request) => {
    const { inputTokens, outputTokens, firstMs, everyMs } = plan(markerOf(request));
    return {
      steps: [{ kind: "text", text: "four".repeat(outputTokens) }],
      usage: { input: inputTokens, output: outputTokens },
      chunkSize: 24,
      pace: { firstMs, everyMs },
    };
  };
  const sim = await startUpstreamSim({
    clock: Date.now,
    ids: () => crypto.randomUUID(),
    script,
    keepRequests: 0,
    onRequest(request) {
      if (request.route?.kind !== "generate") return;
      const marker = markerOf(request);
      const { inputTokens, outputTokens } = plan(marker);
      const attempt: BilledAttempt = {
        marker,
        protocol: request.route.protocol,
        inputTokens,
        outputTokens,
        complete: false,
      };
      log?.append({ dispatched: attempt });
      running.set(request, attempt);
      bill.set(marker, [...(bill.get(marker) ?? []), attempt]);
    },
    onDelivered(request, { bytes, complete }) {
      const attempt = running.get(request);
      if (!attempt) return;
      running.delete(request);
      Object.assign(attempt, { bytes, complete });
      log?.append({ delivered: attempt });
    },
  });
  return {
    sim,
    bill,
    async close() {
      await sim.close();
      log?.close();
    },
  };
}
