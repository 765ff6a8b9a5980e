import OpenAI from "openai";

/** A gateway that answers with this stream. */
export function gateway(stream: string) {
  return {
    apiKey: "test",
    baseURL: "http://gateway.test/v1",
    maxRetries: 0,
    fetch: async () => new Response(stream, { headers: { "content-type": "text/event-stream" } }),
  };
}

/** The official SDK reading our stream. */
export async function readBySdk(stream: string) {
  const client = new OpenAI(gateway(stream));
  const types: string[] = [];
  const helper = client.responses.stream({ model: "m", input: "Hi" });
  for await (const event of helper) types.push(event.type);
  return { types, final: await helper.finalResponse() };
}
