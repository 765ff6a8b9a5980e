import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** What a browser asks an authenticator for, as the server writes it. */
export interface PasskeyRequest {
  challenge: string;
}

/** A passkey in software (WebAuthn level 2: ES256, attestation "none"). */
export interface SoftwarePasskey {
  /** What the browser sends back for registration options. */
  register(request: PasskeyRequest, origin: string, rpId: string): Record<string, unknown>;
  /** What the browser sends back for authentication options. */
  authenticate(request: PasskeyRequest, origin: string, rpId: string): Record<string, unknown>;
}

export function createSoftwarePasskey(): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  let signatures = 0;

  const authenticatorData = (rpId: string, attested: Buffer | undefined) => {
    signatures += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(signatures);
    // User present and verified; attested credential data follow.
    const flags = Buffer.from([0x05 | (attested ? 0x40 : 0)]);
    return Buffer.concat([sha256(rpId), flags, counter, attested ?? Buffer.alloc(0)]);
  };
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const answer = (response: Record<string, string | string[]>) => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    register({ challenge }, origin, rpId) {
      // COSE: kty EC2, alg ES256, crv P-256, x, y.
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
        Buffer.from(x, "base64url"),
        Buffer.from([0x22, 0x58, 0x20]),
        Buffer.from(y, "base64url"),
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = authenticatorData(rpId, attested);
      // CBOR: { fmt: "none", attStmt: {}, authData }
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText("fmt"),
        cborText("none"),
        cborText("attStmt"),
        Buffer.from([0xa0]),
        cborText("authData"),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({
        attestationObject: attestation.toString("base64url"),
        clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
        transports: ["internal"],
      });
    },
    authenticate({ challenge }, origin, rpId) {
      const data = authenticatorData(rpId, undefined);
      const client = clientData("webauthn.get", challenge, origin);
      const signature = createSign("sha256").update(data).update(sha256(client)).sign(privateKey);
      return answer({
        authenticatorData: data.toString("base64url"),
        clientDataJSON: client.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
  };
}

function sha256(value: string | Buffer): Buffer {
  return createHash("sha256").update(value).digest();
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
