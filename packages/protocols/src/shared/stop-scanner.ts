/**
 * Finds the first stop sequence in text that comes in pieces (conversion.md P10, law L30). Holds back what could still
 * become one: at most the longest sequence less one UTF-16 unit. The result does not depend on how the text was cut.
 */
export class StopScanner {
  readonly #sequences: readonly string[];
  readonly #holdBack: number;
  #held = "";
  #matched: string | undefined;

  /** Empty sequences are ignored: they would end every answer before it began. */
  constructor(sequences: readonly string[]) {
    this.#sequences = sequences.filter((sequence) => sequence !== "");
    this.#holdBack = Math.max(0, ...this.#sequences.map((sequence) => sequence.length - 1));
  }

  /** The stop sequence that ended the text, once one has. */
  get matched(): string | undefined {
    return this.#matched;
  }

  /** Text that is safe to show now. After a match nothing more. */
  push(text: string): string {
    if (this.#matched !== undefined) return "";
    const all = this.#held + text;
    const match = this.#first(all);
    if (match) return this.#stop(all, match);
    const safe = Math.max(0, all.length - this.#holdBack);
    this.#held = all.slice(safe);
    return all.slice(0, safe);
  }

  /** The part is over: what was held back is text after all. */
  flush(): string {
    const text = this.#held;
    this.#held = "";
    return text;
  }

  #stop(all: string, match: { at: number; sequence: string }): string {
    this.#matched = match.sequence;
    this.#held = "";
    return all.slice(0, match.at);
  }

  /**
   * The match that completes first, as a model's own stop would; of two that complete together the longer. Only so is the
   * result independent of the cuts: with the stops `abc` and `b`, the text `ab` is already over.
   */
  #first(all: string): { at: number; sequence: string } | undefined {
    let best: { at: number; sequence: string } | undefined;
    let bestEnd = Number.POSITIVE_INFINITY;
    for (const sequence of this.#sequences) {
      const at = all.indexOf(sequence);
      if (at === -1) continue;
      const end = at + sequence.length;
      if (end > bestEnd || (end === bestEnd && best && at >= best.at)) continue;
      best = { at, sequence };
      bestEnd = end;
    }
    return best;
  }
}
