import fc from "fast-check";
import { type Pair, pairs, type Side } from "../../packages/protocols/src/testing/protocol-sides.ts";
import type { Watch } from "./watch.ts";

/** One thing that is tried with many inputs. Its property throws where a promise does not hold. */
export interface Target {
  name: string;
  property(watch: Watch): fc.IRawProperty<unknown>;
  /** Ends what the property has started. Throws where a promise does not hold at the end. */
  close?(): Promise<void>;
}

/** How much a piece is repeated to, where the length is what is tried. */
export const heavyBytes = 192 * 1024;

/** By name, so that a counterexample can be read. */
const allPairs = new Map(pairs().map((each) => [each.name, each]));

export const pairName: fc.Arbitrary<string> = fc.constantFrom(...allPairs.keys());

/** Pairs that differ: the same protocol hands on what it does not know, which no grammar can judge. */
export const crossing: fc.Arbitrary<string> = fc.constantFrom(...pairs("crossing").map(({ name }) => name));

export function pairOf(name: string): Pair {
  const found = allPairs.get(name);
  if (!found) throw new Error(`There is no pair ${name}.`);
  return found;
}

/** A pair's name, with what is drawn for its upstream. */
export function pairWith<T>(draw: (upstream: Side) => fc.Arbitrary<T>, from = pairName): fc.Arbitrary<[string, T]> {
  return from.chain((name) => fc.tuple(fc.constant(name), draw(pairOf(name).upstream)));
}

/** How many answers a client of the pair asks for. */
export const askedOf = ({ client, upstream }: Pair) => (client.hasCandidates && upstream.hasCandidates ? 3 : 1);
