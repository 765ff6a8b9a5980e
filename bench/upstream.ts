import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chatAnswer, chatStream } from "./bodies.ts";

/** The provider of the benchmark, a process of its own: prepared bytes, nothing computed. Prints its port. */
const stream = chatStream(300);

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  let streaming = false;
  request.on("data", (chunk: Buffer) => {
    streaming ||= chunk.includes('"stream":true');
  });
  request.on("end", () => {
    if (streaming) response.writeHead(200, { "content-type": "text/event-stream" }).end(stream);
    else
      response
        .writeHead(200, { "content-type": "application/json", "content-length": chatAnswer.length })
        .end(chatAnswer);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
