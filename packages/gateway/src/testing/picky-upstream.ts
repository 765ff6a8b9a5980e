import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@interlingua/protocols";

/** A refusal of an upstream: its status and error body. */
export interface Refusal {
  status: number;
  body: JsonObject;
}

/** An upstream in front of another one, of which it takes only what it likes. */
export interface PickyUpstream extends AsyncDisposable {
  url: string;
  /** The bodies that came, in order. */
  seen: JsonObject[];
  /** What the upstream behind answered, in order. */
  answers: string[];
  /** Where to go with what is taken; without a path. */
  behind: string;
  /** What is refused and how. Takes all until it is set. */
  refuses: (body: JsonObject) => Refusal | undefined;
}

export async function startPickyUpstream(): Promise<PickyUpstream> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body: JsonObject = JSON.parse(bytes.toString("utf8"));
    upstream.seen.push(body);
    const refusal = upstream.refuses(body);
    if (refusal) {
      response.writeHead(refusal.status, { "content-type": "application/json" });
      response.end(JSON.stringify(refusal.body));
      return;
    }
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === "string" && name !== "host" && name !== "content-length") headers[name] = value;
    }
    const answer = await fetch(upstream.behind + request.url, { method: "POST", headers, body: bytes });
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type });
    const answered = Buffer.from(await answer.arrayBuffer());
    upstream.answers.push(answered.toString("utf8"));
    response.end(answered);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // An address of a listening TCP server is an object.
  const { port } = server.address() as AddressInfo;
  const upstream: PickyUpstream = {
    url: `http://127.0.0.1:${port}`,
    seen: [],
    answers: [],
    behind: "",
    refuses: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return upstream;
}
