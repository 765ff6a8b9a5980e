import {
  type StatementResult,
  StorageError,
  type StorageErrorKind,
  type WriteOptions,
  type WriteUnit,
} from "./database.ts";

/** What became of one unit of a group. */
export type UnitOutcome =
  | { ok: true; results: StatementResult[] }
  | { ok: false; kind: StorageErrorKind; message: string; statement?: number };

/** A unit of a group, as the engine gets it. */
export interface OrderedUnit extends WriteOptions {
  unit: WriteUnit;
}

/** Most writes that wait at once (M17); beyond, a write is refused at once. */
export const maxWaiting = 10_000;
/** Most units of one transaction. */
const maxGroup = 512;

export interface WriteQueueOptions {
  /** How many groups may be under way at once: one for each connection that writes. */
  lanes: number;
  /** Makes a group durable by one commit. Never rejects; does not resolve when the writer has failed (see `fail`). */
  commit(units: readonly OrderedUnit[]): Promise<readonly UnitOutcome[]>;
  /** Called once after `close()`, when nothing waits and nothing is under way. */
  release(): Promise<void>;
}

/** The writes of a process on their way to the database, in groups. */
export interface WriteQueue {
  write(unit: WriteUnit, options?: WriteOptions): Promise<readonly StatementResult[]>;
  onFatal(listener: (error: StorageError) => void): void;
  close(): Promise<void>;
  /** The writer cannot go on: everything that waits is refused, and so is everything later. */
  fail(error: StorageError): void;
}

interface Waiting extends OrderedUnit {
  resolve(results: readonly StatementResult[]): void;
  reject(error: StorageError): void;
}

/**
 * Gathers writes into groups. While as many groups are under way as there are lanes, all that is asked for goes into the
 * next one: the slower the disk, the larger the groups.
 */
export function createWriteQueue({ lanes, commit, release }: WriteQueueOptions): WriteQueue {
  const listeners: ((error: StorageError) => void)[] = [];
  const groups = new Set<readonly Waiting[]>();
  let queue: Waiting[] = [];
  let failed: StorageError | undefined;
  let closing: { promise: Promise<void>; done: () => void } | undefined;
  let releasing = false;
  let scheduled = false;

  const sendNext = () => {
    scheduled = false;
    if (failed) return;
    if (queue.length === 0) {
      if (closing && groups.size === 0 && !releasing) {
        releasing = true;
        release().finally(closing.done);
      }
      return;
    }
    if (groups.size >= lanes) return;
    const group = queue.slice(0, maxGroup);
    queue = queue.slice(maxGroup);
    groups.add(group);
    commit(group).then((outcomes) => settle(group, outcomes));
    if (queue.length > 0) sendNext();
  };

  // What one turn of the event loop asks for goes into one group, also when a lane is free.
  const schedule = () => {
    if (scheduled || groups.size >= lanes) return;
    scheduled = true;
    queueMicrotask(sendNext);
  };

  const settle = (group: readonly Waiting[], outcomes: readonly UnitOutcome[]) => {
    groups.delete(group);
    sendNext();
    for (const [index, waiting] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.ok) waiting.resolve(outcome.results);
      else {
        const { kind = "fatal", message = "The writer gave no answer", statement } = outcome ?? {};
        waiting.reject(new StorageError(kind, message, { statement }));
      }
    }
  };

  return {
    write(unit, options) {
      if (failed) return Promise.reject(failed);
      if (closing) return Promise.reject(new StorageError("closed", "The database is closed"));
      if (queue.length >= maxWaiting)
        return Promise.reject(new StorageError("queue_full", "Too many writes are waiting"));
      return new Promise((resolve, reject) => {
        queue.push({ ...options, unit, resolve, reject });
        schedule();
      });
    },
    onFatal(listener) {
      if (failed) listener(failed);
      else listeners.push(listener);
    },
    close() {
      if (failed) return Promise.resolve();
      if (!closing) {
        const { promise, resolve } = Promise.withResolvers<void>();
        closing = { promise, done: resolve };
        schedule();
      }
      return closing.promise;
    },
    fail(error) {
      if (failed) return;
      failed = error;
      const lost = [...[...groups].flat(), ...queue];
      groups.clear();
      queue = [];
      for (const waiting of lost) waiting.reject(error);
      for (const listener of listeners) listener(error);
      closing?.done();
    },
  };
}
