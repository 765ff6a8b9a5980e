import fc from "fast-check";
import type { JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { changes, mutated } from "./mutation.ts";

/** What goes wrong with the frames of a stream: other values within one of them, some lost, doubled or in another place. */
export interface Disorder {
  frame: number;
  changes: readonly (readonly [readonly number[], JsonValue])[];
  moves: readonly (readonly ["lose" | "double" | "swap", number])[];
}

export const disorder: fc.Arbitrary<Disorder> = fc.record(
  {
    frame: fc.nat(),
    changes,
    moves: fc.array(fc.tuple(fc.constantFrom("lose", "double", "swap"), fc.nat()), { maxLength: 2 }),
  },
  { noNullPrototype: true },
);

/** The frames in that disorder. */
export function disturbed(frames: readonly string[], { frame, changes: made, moves }: Disorder): string[] {
  const result = frames.map((text, index) => (index === frame % frames.length ? mutatedFrame(text, made) : text));
  for (const [move, index] of moves) disturb(result, move, index % Math.max(1, result.length));
  return result;
}

function mutatedFrame(frame: string, made: Parameters<typeof mutated>[1]): string {
  const [, head = "", data = ""] = /^((?:event: .*\n)?data: )(\{.*)\n\n$/.exec(frame) ?? [];
  if (data === "") return frame;
  const value: unknown = JSON.parse(data);
  return isObject(value) ? `${head}${JSON.stringify(mutated(value, made))}\n\n` : frame;
}

function disturb(frames: string[], move: string, index: number): void {
  const frame = frames[index];
  if (frame === undefined) return;
  if (move === "lose") frames.splice(index, 1);
  else if (move === "double") frames.splice(index, 0, frame);
  else frames.splice(Math.max(0, index - 1), 0, ...frames.splice(index, 1));
}
