import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Proof, ProofVault } from "@interlingua/protocols";

/** Four characters of the base64 alphabet: a client that keeps proofs as bytes gives the same text back. */
const prefix = "gw1E";
const nonceSize = 12;
const tagSize = 16;
/** Longer than any proof a provider makes; bounds the work for a stranger's value. */
const maximumLength = 1_048_576;

export interface VaultOptions {
  /** The installation's secret, at least 32 bytes. */
  secret: Uint8Array;
  /** Whose proofs these are: an envelope of one tenant does not open for another. */
  tenant: string;
  randomBytes: (size: number) => Uint8Array;
}

/**
 * A vault that seals by AES-256-GCM with a key of its own, derived from the installation's secret; the tenant is
 * authenticated with it. An envelope that does not open (another tenant's, damaged) is a proof of no family, which no
 * encoder writes: it is absent, and never sent on.
 */
export function createVault(options: VaultOptions): ProofVault {
  const key = Buffer.from(hkdfSync("sha256", options.secret, "", "interlingua proof vault 1", 32));
  const tenant = Buffer.from(options.tenant, "utf8");
  return {
    seal(proof) {
      const nonce = options.randomBytes(nonceSize);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(tenant);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(proof), "utf8"), cipher.final()]);
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    open(value) {
      if (!value.startsWith(prefix)) return undefined;
      if (value.length > maximumLength) return unreadable;
      const bytes = Buffer.from(value.slice(prefix.length), "base64");
      if (bytes.length <= nonceSize + tagSize) return unreadable;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceSize));
        decipher.setAAD(tenant);
        decipher.setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize));
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceSize + tagSize)), decipher.final()]);
        return readProof(JSON.parse(text.toString("utf8"))) ?? unreadable;
      } catch {
        // Not an intact envelope of this tenant: whatever was in it is lost, not an error of the call.
        return unreadable;
      }
    },
  };
}

const unreadable: Proof = { family: "unreadable", kind: "signature", value: "" };

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
