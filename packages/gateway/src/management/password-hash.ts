import * as crypto from "node:crypto";
import { promisify } from "node:util";

/*
 * Hashes of passwords in the PHC form, which holds its own parameters: argon2id, m = 19 MiB, t = 2, p = 1 where the
 * runtime has it, else scrypt, N = 2^17, r = 8, p = 1 (S8). Either takes some 50 ms of a core or more.
 */

const argon2id = { memory: 19_456, passes: 2, parallelism: 1 };
const scryptCost = { logN: 17, r: 8, p: 1 };
const saltBytes = 16;
const digestBytes = 32;

const scrypt = promisify(
  crypto.scrypt as (
    password: string,
    salt: Uint8Array,
    length: number,
    options: crypto.ScryptOptions,
    callback: (error: Error | null, digest: Buffer) => void,
  ) => void,
);
// The assertion chooses one of the overloads: `promisify` cannot.

/** Hashes a password with the given salt. */
export async function hashPassword(password: string, randomBytes: (size: number) => Uint8Array): Promise<string> {
  const salt = randomBytes(saltBytes);
  if (hasArgon2()) {
    const { memory, passes, parallelism } = argon2id;
    const digest = await argon2(password, salt, argon2id);
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(digest)}`;
  }
  const { logN, r, p } = scryptCost;
  const digest = await scryptDigest(password, salt, scryptCost);
  return `$scrypt$ln=${logN},r=${r},p=${p}$${base64(salt)}$${base64(digest)}`;
}

/** Whether the password is the one of the hash. A hash of an unknown form is an error: no password would ever fit it. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, kind, ...rest] = hash.split("$");
  const [parameters, salt, expected] = rest.slice(kind === "argon2id" ? 1 : 0);
  if (parameters === undefined || salt === undefined || expected === undefined) throw unknownForm();
  const of = (name: string) => Number(new RegExp(`(?:^|,)${name}=([0-9]+)`).exec(parameters)?.[1]);
  const saltOf = Buffer.from(salt, "base64");
  const digest =
    kind === "argon2id"
      ? await argon2(password, saltOf, { memory: of("m"), passes: of("t"), parallelism: of("p") })
      : kind === "scrypt"
        ? await scryptDigest(password, saltOf, { logN: of("ln"), r: of("r"), p: of("p") })
        : undefined;
  if (!digest) throw unknownForm();
  const stored = Buffer.from(expected, "base64");
  return stored.length === digest.length && crypto.timingSafeEqual(stored, digest);
}

function hasArgon2(): boolean {
  return typeof crypto.argon2 === "function";
}

function argon2(password: string, salt: Uint8Array, cost: typeof argon2id): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parameters = { ...cost, message: normal(password), nonce: salt, tagLength: digestBytes };
    crypto.argon2("argon2id", parameters, (error, digest) => (error ? reject(error) : resolve(digest)));
  });
}

function scryptDigest(password: string, salt: Uint8Array, { logN, r, p }: typeof scryptCost): Promise<Buffer> {
  const N = 2 ** logN;
  return scrypt(normal(password), salt, digestBytes, { N, r, p, maxmem: 256 * N * r });
}

/** One password is one text, however a keyboard composes its letters. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}

function unknownForm(): Error {
  return new Error("A stored password hash has a form that this version does not know");
}
