import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";

/** The yardstick: node:http in front, undici's dispatch behind, bytes through. No key, no check, no record. */
const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 256, pipelining: 1 });

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const only = chunks[0];
    pool.dispatch(
      {
        path: "/v1/chat/completions",
        method: "POST",
        headers: { "content-type": "application/json" },
        body: chunks.length === 1 && only ? only : Buffer.concat(chunks),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          response.writeHead(status, { "content-type": String(headers["content-type"]) });
        },
        onResponseData(controller, chunk) {
          if (response.write(chunk)) return;
          controller.pause();
          response.once("drain", () => controller.resume());
        },
        onResponseEnd() {
          response.end();
        },
        onResponseError() {
          response.destroy();
        },
      },
    );
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
