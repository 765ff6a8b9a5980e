import { generateKeyPairSync, sign } from "node:crypto";

/** A server's key and a certificate that it signed itself, as PEM. */
export interface SelfSigned {
  key: string;
  cert: string;
}

/** Made for these host names (`*.example.com` among them) and good for all times that tests stand in. */
export function selfSignedCertificate(hosts: readonly string[]): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(node(0x31, sequence(objectId("550403"), node(0x0c, Buffer.from("Interlingua tests")))));
  const validity = sequence(node(0x18, Buffer.from("20200101000000Z")), node(0x18, Buffer.from("21200101000000Z")));
  const alternativeNames = sequence(...hosts.map((host) => node(0x82, Buffer.from(host))));
  const extensions = sequence(sequence(objectId("551d11"), node(0x04, alternativeNames)));
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const body = sequence(
    node(0xa0, node(0x02, Buffer.from([2]))),
    node(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    node(0xa3, extensions),
  );
  const signature = node(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const certificate = sequence(body, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of DER: its tag, its length, its bytes. */
function node(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...members: Buffer[]): Buffer {
  return node(0x30, Buffer.concat(members));
}

function objectId(hex: string): Buffer {
  return node(0x06, Buffer.from(hex, "hex"));
}
