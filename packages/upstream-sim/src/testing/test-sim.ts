import { afterEach } from "vitest";
import { type Json, type JsonObject, objectOf, parseJson } from "../json.ts";
import { startUpstreamSim, type UpstreamSim, type UpstreamSimServerOptions } from "../server.ts";

const running: UpstreamSim[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((sim) => sim.close()));
});

/** Starts a simulated provider with counted ids, a fixed clock and waits that do not wait; ends with the test. */
export async function testSim(options: Partial<UpstreamSimServerOptions> = {}): Promise<UpstreamSim> {
  let next = 0;
  const sim = await startUpstreamSim({
    clock: () => 1_790_000_000_000,
    ids: () => `id${++next}`,
    delay: () => Promise.resolve(),
    ...options,
  });
  running.push(sim);
  return sim;
}

/** Headers that every family takes a credential and a version from. */
export const HEADERS: Record<string, string> = {
  "content-type": "application/json",
  authorization: "Bearer test",
  "anthropic-version": "2023-06-01",
};

/** Posts a body and gives the status and the parsed answer. */
export async function post(
  sim: UpstreamSim,
  path: string,
  body: Json,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: JsonObject; headers: Headers }> {
  const response = await fetch(sim.url + path, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: objectOf(parseJson(await response.text())), headers: response.headers };
}

/** The message of an error body of any family. */
export function errorMessage(body: JsonObject): string {
  return String(objectOf(body.error).message);
}

export const WEATHER_SCHEMA: JsonObject = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
