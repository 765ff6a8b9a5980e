import type { Platform } from "../platform.ts";
import { createHashQueue } from "./hash-queue.ts";
import { hashPassword, verifyPassword } from "./password-hash.ts";

/** Hashing for whoever needs it, two at once. Both reject with `HashQueueFull` where too many wait. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

export function createPasswords({ randomBytes }: Pick<Platform, "randomBytes">): Passwords {
  const queue = createHashQueue();
  return {
    hash: (password) => queue.run(() => hashPassword(password, randomBytes)),
    verify: (password, hash) => queue.run(() => verifyPassword(password, hash)),
  };
}
