import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

/** Where a sealed value is stored. A value that was moved elsewhere does not open. */
export interface SealedPlace {
  table: string;
  row: string;
  column: string;
}

/** A stored value that does not open: changed, moved, or sealed under another secret. */
export class SealError extends Error {
  constructor({ table, column }: SealedPlace) {
    super(`${table}.${column}: a stored value cannot be opened: it was changed or moved, or the secret is another one`);
    this.name = "SealError";
  }
}

/** Seals values of one purpose for the database (S17). */
export interface Sealer {
  seal(place: SealedPlace, value: Uint8Array): Uint8Array;
  /** Throws a SealError. */
  open(place: SealedPlace, sealed: Uint8Array): Uint8Array;
  /** The value sealed under the secret in use; undefined where it is so already. Throws a SealError. */
  reseal(place: SealedPlace, sealed: Uint8Array): Uint8Array | undefined;
}

export interface SealerOptions {
  /** The installation's secret. */
  secret: Uint8Array;
  /** Those before it: what was sealed under them opens still. */
  formerSecrets?: readonly Uint8Array[] | undefined;
  /** What is sealed, for example `call content`: each purpose has a key of its own. */
  purpose: string;
  randomBytes: (size: number) => Uint8Array;
}

/*
 * What is stored: `v1`, the version of the key (two bytes), the nonce, the ciphertext, the tag. Table, row, column and key
 * version are authenticated with it.
 */
const form = Buffer.from("v1", "latin1");
const keyVersion = 1;
const nonceAt = form.length + 2;
const nonceSize = 12;
const textAt = nonceAt + nonceSize;
const tagSize = 16;

/** AES-256-GCM with a random nonce for each value, under a key derived from the installation's secret. */
export function createSealer({ secret, formerSecrets = [], purpose, randomBytes }: SealerOptions): Sealer {
  const keyOf = (bytes: Uint8Array) =>
    Buffer.from(hkdfSync("sha256", bytes, "", `interlingua ${purpose} ${keyVersion}`, 32));
  const key = keyOf(secret);
  const formerKeys = formerSecrets.map(keyOf);

  const seal = (place: SealedPlace, value: Uint8Array): Uint8Array => {
    const nonce = randomBytes(nonceSize);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(place));
    const head = Buffer.concat([form, Buffer.from([keyVersion >> 8, keyVersion & 0xff]), nonce]);
    return Buffer.concat([head, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
  };
  const openFormer = (place: SealedPlace, sealed: Uint8Array): Uint8Array => {
    for (const former of formerKeys) {
      const value = unseal(former, place, sealed);
      if (value) return value;
    }
    throw new SealError(place);
  };
  return {
    seal,
    open: (place, sealed) => unseal(key, place, sealed) ?? openFormer(place, sealed),
    reseal: (place, sealed) => (unseal(key, place, sealed) ? undefined : seal(place, openFormer(place, sealed))),
  };
}

/** The value, or undefined where it does not open by this key at this place. */
function unseal(key: Buffer, place: SealedPlace, sealed: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const known = bytes.length >= textAt + tagSize && bytes.subarray(0, form.length).equals(form);
  if (!known || bytes.readUInt16BE(form.length) !== keyVersion) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, textAt), { authTagLength: tagSize });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(bytes.length - tagSize));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(textAt, bytes.length - tagSize)), decipher.final()]);
  } catch {
    // Changed, moved, or sealed under another secret: the caller says which.
    return undefined;
  }
}

function boundTo({ table, row, column }: SealedPlace): Buffer {
  return Buffer.from(`${table}|${row}|${column}|${keyVersion}`, "utf8");
}
