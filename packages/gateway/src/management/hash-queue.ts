/** The hashes that may be computed at once are taken, and so are the places to wait (S8). */
export class HashQueueFull extends Error {
  constructor() {
    super("Too many sign-ins are under way; try again in a moment.");
    this.name = "HashQueueFull";
  }
}

/** Hashes at once, and tasks that wait for their turn. */
const limits = { running: 2, waiting: 10 };

/** Runs tasks that cost much, few at once. */
export interface HashQueue {
  /** Runs the task when its turn has come. Rejects with `HashQueueFull` where too many wait already. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** One for the process: whatever hashes a password does it through the same queue. */
export function createHashQueue(): HashQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(task) {
      if (running >= limits.running) {
        if (waiting.length >= limits.waiting) throw new HashQueueFull();
        // The one that ends hands its place on: `running` stays as it is.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
