import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import type { Network } from "../channels/outbound-guard.ts";
import { type SelfSigned, selfSignedCertificate } from "./self-signed-certificate.ts";

/** A host of the internet that holds files, which in truth is this machine. */
export interface MediaServer extends AsyncDisposable {
  /** The address of a path: `https://media.example.com:PORT/a.png`. */
  url(path: string, host?: string): string;
  /** Its host and port, as `outbound.allow` names them. */
  place: string;
  /** Finds all names here, unless `answers` says otherwise, and trusts the server. */
  network(answers?: Readonly<Record<string, readonly string[]>>): Network;
  /** Names that were looked up, in order. */
  lookups: readonly string[];
  /** Requests so far. */
  requests: readonly IncomingMessage[];
}

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

const host = "media.example.com";
let certificate: SelfSigned | undefined;

export async function startMediaServer(answer: Answering): Promise<MediaServer> {
  certificate ??= selfSignedCertificate(["*.example.com"]);
  const { key, cert } = certificate;
  const requests: IncomingMessage[] = [];
  const lookups: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Of a TCP server, once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    url: (path, named = host) => `https://${named}:${port}${path}`,
    place: `${host}:${port}`,
    network(answers = {}) {
      const lookup: LookupFunction = (name, _options, callback) => {
        lookups.push(name);
        const addresses = answers[name] ?? ["127.0.0.1"];
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        );
      };
      return { lookup, ca: cert };
    },
    lookups,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
