import type { Usage } from "@interlingua/protocols";
import { MoneyError } from "./money.ts";
import type { InputClass, OutputClass, TokenClass } from "./token-class.ts";

/** The usage of a call, with a counter that no protocol of ours tells yet: image tokens within the input. */
export interface BillableUsage extends Usage {
  inputImage?: number;
}

/** A call's tokens, each in exactly one class, and its uses of tools that the provider ran. */
export interface UsageSplit {
  inputTokens: number;
  outputTokens: number;
  /** Adds up to the two totals. */
  tokens: Record<TokenClass, number>;
  serverTools: readonly (readonly [name: string, uses: number])[];
}

/**
 * Parts the counters of a call into classes. Throws `MoneyError` of kind `counter` where one is negative, fractional,
 * not a number, or beyond what is exact (M9).
 *
 * Audio and images are a second view on the input, which does not say how much of them was cached: they are taken out of
 * the uncached input first, then out of the cache reads. Parts that are more than their whole are cut, so that the whole
 * is what is paid; where only the parts are told, they are the whole.
 */
export function splitUsage(usage: BillableUsage): UsageSplit {
  const input = splitInput(usage);
  const output = splitOutput(usage.output);
  const tokens = { ...input, ...output };
  const tools = Object.entries(usage.serverTools ?? {}).map(([name, uses]) => [name, counter(name, uses)] as const);
  return {
    tokens,
    inputTokens: total("input", Object.values(input)),
    outputTokens: total("output", Object.values(output)),
    serverTools: tools.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

function splitInput(usage: BillableUsage): Record<InputClass, number> {
  const { uncached, toolPrompt, cacheRead, cacheWrite, cacheWrite5m, cacheWrite1h } = usage.input;
  const counters = [uncached, toolPrompt, cacheRead, cacheWrite, cacheWrite5m, cacheWrite1h];
  const audio = counter("inputAudio", usage.inputAudio);
  const image = counter("inputImage", usage.inputImage);
  const plain = [counter("uncached", uncached), counter("toolPrompt", toolPrompt)];
  const untold = counters.every((each) => each === undefined);
  let fresh = total("input", untold ? [audio, image] : plain);
  let read = counter("cacheRead", cacheRead);

  const inputAudio = Math.min(audio, fresh);
  fresh -= inputAudio;
  const inputImage = Math.min(image, fresh);
  fresh -= inputImage;
  const cacheReadAudio = Math.min(audio - inputAudio, read);
  read -= cacheReadAudio;
  const cacheReadImage = Math.min(image - inputImage, read);
  read -= cacheReadImage;
  return {
    input: fresh,
    inputAudio,
    inputImage,
    cacheRead: read,
    cacheReadAudio,
    cacheReadImage,
    cacheWrite: counter("cacheWrite", cacheWrite),
    cacheWrite5m: counter("cacheWrite5m", cacheWrite5m),
    cacheWrite1h: counter("cacheWrite1h", cacheWrite1h),
  };
}

function splitOutput(told: Usage["output"]): Record<OutputClass, number> {
  const parts = {
    reasoning: counter("reasoning", told.reasoning),
    outputAudio: counter("output audio", told.audio),
    outputImage: counter("output image", told.image),
  };
  const sum = total("output", Object.values(parts));
  const whole = told.total === undefined ? sum : counter("output", told.total);
  const reasoning = Math.min(parts.reasoning, whole);
  const outputAudio = Math.min(parts.outputAudio, whole - reasoning);
  const outputImage = Math.min(parts.outputImage, whole - reasoning - outputAudio);
  return { output: whole - reasoning - outputAudio - outputImage, reasoning, outputAudio, outputImage };
}

/** A count as a number that arithmetic keeps exact; an absent one is 0. */
export function counter(name: string, value: number | undefined): number {
  if (value === undefined) return 0;
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new MoneyError("counter", `the counter ${name} is not a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return value;
}

function total(name: string, counters: readonly number[]): number {
  let sum = 0;
  // Both are exact, so a sum beyond the exact range is seen as such.
  for (const each of counters) sum = counter(name, sum + each);
  return sum;
}
