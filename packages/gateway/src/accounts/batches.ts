interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(cause: unknown): void;
}

/** Items that are done together with others of the same name. */
export interface Batches<Item, Outcome> {
  add(name: string, item: Item): Promise<Outcome>;
}

/**
 * Gathers what one turn of the event loop asks for by name, at most `most` at a time. `together` gives an outcome for each
 * item, in their order; one that is alone is done by `single`.
 */
export function createBatches<Item, Outcome>(
  most: number,
  together: (name: string, items: readonly Item[]) => Promise<readonly Outcome[]>,
  single: (item: Item) => Promise<Outcome>,
): Batches<Item, Outcome> {
  let gathered = new Map<string, Waiting<Item, Outcome>[]>();

  const send = (name: string, group: readonly Waiting<Item, Outcome>[]) => {
    const [only] = group;
    if (only && group.length === 1) {
      single(only.item).then(only.resolve, only.reject);
      return;
    }
    together(
      name,
      group.map(({ item }) => item),
    ).then(
      (outcomes) => {
        for (const [index, waiting] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) waiting.reject(new Error("A batch gave no outcome for one of its items"));
          else waiting.resolve(outcome);
        }
      },
      (cause: unknown) => {
        for (const waiting of group) waiting.reject(cause);
      },
    );
  };

  const flush = () => {
    const all = gathered;
    gathered = new Map();
    for (const [name, group] of all) {
      for (let at = 0; at < group.length; at += most) send(name, group.slice(at, at + most));
    }
  };

  return {
    add: (name, item) =>
      new Promise((resolve, reject) => {
        if (gathered.size === 0) setImmediate(flush);
        const group = gathered.get(name) ?? [];
        group.push({ item, resolve, reject });
        gathered.set(name, group);
      }),
  };
}
