import type { JsonObject } from "@interlingua/protocols";
import { type TestGateway, testKey } from "./test-gateway.ts";

/** With everything in it that the messages protocol wants, so that nothing else is told. */
export const hello = { model: "to-messages", input: "Hello", max_output_tokens: 64 };

/** A response object or an error, with the status and the notices that came with it. */
interface Answer {
  http: number;
  id: string;
  store: boolean;
  error: { message: string; code: string | null; param: string | null };
  notices: string | null;
}

/** A call of the responses protocol: `hello` with other fields. */
export async function ask(
  gateway: TestGateway,
  body: JsonObject,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await gateway.post("/v1/responses", { ...hello, ...body }, headers);
  const json: Omit<Answer, "http" | "notices"> = JSON.parse(await response.text());
  return { ...json, http: response.status, notices: response.headers.get("x-interlingua-notices") };
}

/** The response objects in a stream's events, by their event. */
export async function streamed(gateway: TestGateway, body: JsonObject): Promise<Record<string, Answer>> {
  const response = await gateway.post("/v1/responses", { ...hello, stream: true, ...body });
  const responses: Record<string, Answer> = {};
  for (const line of (await response.text()).split("\n")) {
    if (!line.startsWith("data: ")) continue;
    const event: { type: string; response?: Answer } = JSON.parse(line.slice(6));
    if (event.response) responses[event.type] = event.response;
  }
  return responses;
}

/** A request about a stored response: its id, or what stands behind it in the path. */
export function read(gateway: TestGateway, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${gateway.address}/v1/responses/${path}`, { ...init, headers: { authorization: `Bearer ${testKey}` } });
}

/** The error of an answer. */
export async function errorOf(response: Promise<Response>): Promise<Answer["error"] & { status: number }> {
  const answer = await response;
  const body: Answer = JSON.parse(await answer.text());
  return { ...body.error, status: answer.status };
}
