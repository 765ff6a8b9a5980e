import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Platform } from "../platform.ts";

/** The installation's secret. Everything that protects stored data is derived from it; it is never in the database. */
export interface Secret {
  bytes: Uint8Array;
  /** Those before it, the latest first: what was made under them is still good. */
  former?: readonly Uint8Array[];
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

/** The secret in use and behind it the former ones. */
export function secretsOf({
  bytes,
  former = [],
}: Pick<Secret, "bytes" | "former">): readonly [Uint8Array, ...Uint8Array[]] {
  return [bytes, ...former];
}

const minLength = 32;

/** The parts of the configuration that tell of the secret. */
export type SecretConfig = Pick<Config, "secret" | "database"> & Partial<Pick<Config, "formerSecrets">>;

/**
 * The secret from `INTERLINGUA_SECRET`, else from `secret.key` beside the database, which is made at the first start
 * with mode 0600. A database server has no such place. Former secrets come from `INTERLINGUA_FORMER_SECRETS`, and from the
 * lines behind the first of the file. Throws a SecretError when there is none, or one is shorter than 32 characters.
 */
export function loadSecret(config: SecretConfig, platform: Pick<Platform, "randomBytes" | "id">): Secret {
  const { formerSecrets = [] } = config;
  const named = formerSecrets.map((text) => secretBytes(text, "INTERLINGUA_FORMER_SECRETS"));
  if (config.secret !== null) {
    const bytes = secretBytes(config.secret, "INTERLINGUA_SECRET");
    return { bytes, ...formerOf(bytes, named), origin: "environment" };
  }
  if (config.database.kind !== "sqlite") {
    throw new SecretError(
      "INTERLINGUA_SECRET is not set: with a database server every gateway needs the same one, for example from: openssl rand -base64 32",
    );
  }
  const file = join(dirname(resolve(config.database.path)), "secret.key");
  const kept = readIfThere(file);
  if (kept !== undefined) {
    const [first = "", ...rest] = kept.split("\n");
    const bytes = secretBytes(first, file);
    const lines = rest.filter((line) => line.trim() !== "").map((line) => secretBytes(line, file));
    return { bytes, ...formerOf(bytes, [...lines, ...named]), origin: "file", file };
  }
  createFile(file, Buffer.from(platform.randomBytes(32)).toString("base64url"), platform.id("new"));
  // Of two processes that start together one wins, and both read what it wrote.
  const bytes = secretBytes(readIfThere(file) ?? "", file);
  return { bytes, ...formerOf(bytes, named), origin: "created", file };
}

/** Each former secret once, and not the one in use. */
function formerOf(bytes: Uint8Array, secrets: readonly Uint8Array[]): Pick<Secret, "former"> {
  const known = new Set([textOf(bytes)]);
  const former = secrets.filter((secret) => {
    const text = textOf(secret);
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
  return former.length > 0 ? { former } : {};
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

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
