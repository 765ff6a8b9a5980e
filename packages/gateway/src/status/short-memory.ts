/** An answer that is kept for a moment, so that a crowd of readers costs what one does. */
export interface ShortMemory<Value> {
  /** What is remembered, or what `load` gives; all who ask meanwhile share it. A failure is not remembered. */
  get(): Promise<Value>;
  /** The next one who asks gets what is true then. */
  forget(): void;
}

/** Remembers for so many milliseconds from the moment at which the loading began. */
export function createShortMemory<Value>(
  milliseconds: number,
  monotonic: () => number,
  load: () => Promise<Value>,
): ShortMemory<Value> {
  let known: { until: number; value: Promise<Value> } | undefined;
  return {
    get() {
      const now = monotonic();
      if (known && now < known.until) return known.value;
      const entry = { until: now + milliseconds, value: load() };
      known = entry;
      entry.value.catch(() => {
        if (known === entry) known = undefined;
      });
      return entry.value;
    },
    forget() {
      known = undefined;
    },
  };
}
