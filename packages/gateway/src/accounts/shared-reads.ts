/** A read that is under way, and the one that those who came meanwhile wait for. */
interface Reads<Result> {
  current: Promise<Result>;
  next: Promise<Result> | undefined;
}

/** Gives what `read` reads, or another's read of what has the same name. */
export type SharedReads<Result> = (name: string, read: () => Promise<Result>) => Promise<Result>;

/**
 * Lets those who ask for the same thing at once share a read, so that however many they are, they take one connection.
 * Nobody is given a read that began before they asked.
 */
export function createSharedReads<Result>(): SharedReads<Result> {
  const running = new Map<string, Reads<Result>>();

  const start = (name: string, read: () => Promise<Result>): Promise<Result> => {
    const reads: Reads<Result> = { current: read(), next: undefined };
    running.set(name, reads);
    const done = () => {
      if (running.get(name) === reads) running.delete(name);
    };
    reads.current.then(done, done);
    return reads.current;
  };

  return (name, read) => {
    const reads = running.get(name);
    if (!reads) return start(name, read);
    const begin = () => start(name, read);
    reads.next ??= reads.current.then(begin, begin);
    return reads.next;
  };
}
