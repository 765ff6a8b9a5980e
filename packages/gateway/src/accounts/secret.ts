import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Platform } from "../platform.ts";

/** The installation's secret. Everything that protects stored data is derived from it; it is never in the database. */
export interface Secret {
  bytes: Uint8Array;
  origin: "environment" | "file" | "created";
  /** Where it is kept, unless in the environment. */
  file?: string;
}

/** The secret is missing, too short, or not the one that the stored data was made with. The message is one line. */
export class SecretError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SecretError";
  }
}

const minLength = 32;

/**
 * The secret from `INTERLINGUA_SECRET`, else from `secret.key` beside the database, which is made at the first start
 * with mode 0600. A database server has no such place. Throws a SecretError when there is none, or it is shorter than 32
 * characters.
 */
export function loadSecret(
  config: Pick<Config, "secret" | "database">,
  platform: Pick<Platform, "randomBytes" | "id">,
): Secret {
  if (config.secret !== null) return { bytes: secretBytes(config.secret, "INTERLINGUA_SECRET"), origin: "environment" };
  if (config.database.kind !== "sqlite") {
    throw new SecretError(
      "INTERLINGUA_SECRET is not set: with a database server every gateway needs the same one, for example from: openssl rand -base64 32",
    );
  }
  const file = join(dirname(resolve(config.database.path)), "secret.key");
  const kept = readIfThere(file);
  if (kept !== undefined) return { bytes: secretBytes(kept, file), origin: "file", file };
  createFile(file, Buffer.from(platform.randomBytes(32)).toString("base64url"), platform.id("new"));
  // Of two processes that start together one wins, and both read what it wrote.
  return { bytes: secretBytes(readIfThere(file) ?? "", file), origin: "created", file };
}

function secretBytes(text: string, place: string): Uint8Array {
  const secret = text.trim();
  if (secret.length < minLength) {
    throw new SecretError(
      `${place}: the secret is too short: ${minLength} characters at least, for example from: openssl rand -base64 32`,
    );
  }
  return new TextEncoder().encode(secret);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new SecretError(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Writes beside and links into place: the file appears whole or not at all, and never replaces one that is there. */
function createFile(file: string, text: string, suffix: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${suffix}`;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    writeSync(descriptor, `${text}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
