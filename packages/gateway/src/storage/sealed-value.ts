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
}

export interface SealerOptions {
  /** The installation's secret. */
  secret: Uint8Array;
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
export function createSealer({ secret, purpose, randomBytes }: SealerOptions): Sealer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `interlingua ${purpose} ${keyVersion}`, 32));
  return {
    seal(place, value) {
      const nonce = randomBytes(nonceSize);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(place));
      const head = Buffer.concat([form, Buffer.from([keyVersion >> 8, keyVersion & 0xff]), nonce]);
      return Buffer.concat([head, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const known = bytes.length >= textAt + tagSize && bytes.subarray(0, form.length).equals(form);
      if (!known || bytes.readUInt16BE(form.length) !== keyVersion) throw new SealError(place);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, textAt), {
        authTagLength: tagSize,
      });
      decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(bytes.length - tagSize));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(textAt, bytes.length - tagSize)), decipher.final()]);
      } catch {
        throw new SealError(place);
      }
    },
  };
}

function boundTo({ table, row, column }: SealedPlace): Buffer {
  return Buffer.from(`${table}|${row}|${column}|${keyVersion}`, "utf8");
}
