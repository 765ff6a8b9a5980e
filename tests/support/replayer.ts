import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProtocolName } from "@interlingua/protocols";
import { type Recording, recordings } from "../../packages/protocols/src/testing/recordings.ts";

/** An upstream that answers with recorded bytes. The model's name is the recording's id. */
export interface Replayer {
  /** The channel's base address for a protocol, as that vendor's SDK writes it. */
  baseUrl(protocol: ProtocolName): string;
  close(): Promise<void>;
}

/** Sizes of the network pieces in which a recorded stream is sent: odd, so that events and characters are split. */
const pieces = [1000, 7, 333, 61, 4096, 1];

export async function startReplayer(): Promise<Replayer> {
  const byId = new Map<string, Recording>();
  for (const protocol of ["chat-completions", "responses", "messages", "generate-content"] as const) {
    for (const recording of recordings(protocol)) byId.set(recording.id, recording);
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { model?: string };
      const inPath = /\/models\/([^:]+):/.exec(decodeURIComponent(request.url ?? ""))?.[1];
      const recording = byId.get(inPath ?? body.model ?? "");
      if (!recording) {
        response.writeHead(404).end();
        return;
      }
      if (!recording.sse) {
        const text = typeof recording.response === "string" ? recording.response : JSON.stringify(recording.response);
        response.writeHead(recording.status, { "content-type": "application/json" }).end(text);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      let from = 0;
      for (let index = 0; from < recording.sse.length; index += 1) {
        const size = pieces[index % pieces.length] ?? 1;
        response.write(recording.sse.subarray(from, from + size));
        from += size;
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: (protocol) => (protocol === "chat-completions" || protocol === "responses" ? `${url}/v1` : url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
