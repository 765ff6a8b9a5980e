import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Whom the provider says has signed in. */
export interface OidcPerson {
  sub: string;
  email: string;
  email_verified?: boolean;
}

/** A provider of OpenID Connect in which whoever comes is signed in as the given person. */
export interface TestOidcProvider extends AsyncDisposable {
  issuer: string;
  person: OidcPerson;
  /** Claims that the tokens bear in the place of the right ones. */
  wrong: Record<string, unknown>;
  /** Signs with a key that the provider does not publish. */
  forged: boolean;
  /** Publishes no keys. */
  keyless: boolean;
  /** What the token endpoint was sent, the last time. */
  lastExchange: URLSearchParams | undefined;
}

interface Pending {
  nonce: string | null;
  clientId: string;
}

export async function startOidcProvider(person: OidcPerson): Promise<TestOidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const codes = new Map<string, Pending>();

  const server = createServer(async (message, response) => {
    const url = new URL(message.url ?? "/", provider.issuer);
    const json = (value: unknown) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        json({
          issuer: provider.issuer,
          authorization_endpoint: `${provider.issuer}/authorize`,
          token_endpoint: `${provider.issuer}/token`,
          ...(provider.keyless ? {} : { jwks_uri: `${provider.issuer}/keys` }),
          id_token_signing_alg_values_supported: ["RS256"],
        });
        return;
      case "/keys":
        json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }] });
        return;
      case "/authorize": {
        const code = `code-${codes.size + 1}`;
        const query = url.searchParams;
        codes.set(code, { nonce: query.get("nonce"), clientId: query.get("client_id") ?? "" });
        const back = new URL(query.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", query.get("state") ?? "");
        response.writeHead(302, { location: back.href });
        response.end();
        return;
      }
      case "/token": {
        const sent = new URLSearchParams(await textOf(message));
        provider.lastExchange = sent;
        const pending = codes.get(sent.get("code") ?? "");
        const seconds = Math.floor(Date.now() / 1000);
        const claims = {
          iss: provider.issuer,
          aud: pending?.clientId,
          iat: seconds,
          exp: seconds + 300,
          nonce: pending?.nonce,
          name: "Ada at the provider",
          ...provider.person,
          ...provider.wrong,
        };
        const token = signed(claims, provider.forged ? other : privateKey);
        json({
          access_token: "at-secret",
          refresh_token: "rt-secret",
          token_type: "Bearer",
          expires_in: 300,
          id_token: token,
        });
        return;
      }
      default:
        response.writeHead(404);
        response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Of a TCP server, once it listens.
  const { port } = server.address() as AddressInfo;
  const provider: TestOidcProvider = {
    issuer: `http://127.0.0.1:${port}`,
    person,
    wrong: {},
    forged: false,
    keyless: false,
    lastExchange: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function signed(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", kid: "one", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createSign("sha256").update(text).sign(key, "base64url")}`;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) text += chunk;
  return text;
}
