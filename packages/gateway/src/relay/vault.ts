import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { type Proof, type ProofVault, unreadableProof } from "@interlingua/protocols";

/*
 * An envelope: `gw2E`, eight characters that name the key, then nonce, tag and ciphertext in base64. The head is twelve
 * characters of the base64 alphabet, so that the whole is base64 too: a client that keeps proofs as bytes (Gemini's
 * `thoughtSignature`) decodes it and encodes it again, and gives the same text back.
 */
const prefix = "gw2E";
const keyIdSize = 6;
const headLength = prefix.length + (keyIdSize / 3) * 4;
const nonceSize = 12;
const tagSize = 16;
/** Longer than any proof a provider makes; bounds the work for a stranger's value. */
const maximumLength = 1_048_576;

export interface VaultsOptions {
  /** The installation's secrets, the one in use first, at least 32 bytes each. */
  secrets: readonly Uint8Array[];
  randomBytes: (size: number) => Uint8Array;
}

/** The vaults of an installation: one for each account. */
export interface Vaults {
  /** Costs nothing worth keeping: no key is derived for it. */
  of(accountId: string): ProofVault;
}

/**
 * Vaults that seal by AES-256-GCM under a key derived from the secret in use; the account is authenticated with it. What
 * was sealed under a former secret opens still. An envelope that does not open (another account's, damaged, of an unknown
 * key) is a proof of no family, which no encoder writes: it is absent, and never sent on (L21).
 */
export function createVaults({ secrets, randomBytes }: VaultsOptions): Vaults {
  const keys = new Map(secrets.map(deriveKey));
  const [current] = keys;
  if (!current) throw new RangeError("A vault needs a secret.");
  const [keyId, key] = current;

  return {
    of: (accountId) => ({
      seal(proof) {
        const nonce = randomBytes(nonceSize);
        const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(accountId, "utf8"));
        const sealed = Buffer.concat([cipher.update(JSON.stringify(proof), "utf8"), cipher.final()]);
        return prefix + keyId + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
      },
      open(value) {
        if (!value.startsWith(prefix)) return undefined;
        if (value.length > maximumLength) return unreadableProof;
        const named = keys.get(value.slice(prefix.length, headLength));
        if (!named) return unreadableProof;
        const bytes = Buffer.from(value.slice(headLength), "base64");
        return unseal(named, Buffer.from(accountId, "utf8"), bytes) ?? unreadableProof;
      },
    }),
  };
}

/** A secret's key under its name, which tells nothing of it. */
function deriveKey(secret: Uint8Array): [id: string, key: Buffer] {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "interlingua proof vault 2", 32 + keyIdSize));
  return [bytes.subarray(32).toString("base64"), bytes.subarray(0, 32)];
}

/** The proof in an envelope's bytes, or undefined where it is not an intact one of this key and owner. */
function unseal(key: Buffer, owner: Buffer, bytes: Buffer): Proof | undefined {
  if (bytes.length <= nonceSize + tagSize) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceSize)).setAAD(owner);
    decipher.setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize));
    const text = Buffer.concat([decipher.update(bytes.subarray(nonceSize + tagSize)), decipher.final()]);
    return readProof(JSON.parse(text.toString("utf8")));
  } catch {
    // Whatever was in it is lost, not an error of the call.
    return undefined;
  }
}

const envelopeStart = Buffer.from(`"${prefix}`);

/** Whether a body holds an envelope, intact or not: then it can not go to an upstream as it is. */
export function holdsEnvelope(body: Buffer): boolean {
  return body.includes(envelopeStart);
}

function readProof(value: unknown): Proof | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("family" in value) || typeof value.family !== "string") return undefined;
  if (!("value" in value) || typeof value.value !== "string" || !("kind" in value)) return undefined;
  const kind = value.kind;
  if (kind !== "signature" && kind !== "encrypted" && kind !== "redacted") return undefined;
  const proof: Proof = { family: value.family, kind, value: value.value };
  if ("model" in value && typeof value.model === "string") proof.model = value.model;
  if ("itemId" in value && typeof value.itemId === "string") proof.itemId = value.itemId;
  return proof;
}
