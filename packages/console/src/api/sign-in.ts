import { ApiError, apiErrorOf } from "./api-error.ts";
import { csrfHeader } from "./client.ts";

/**
 * Asks one of the addresses of signing in, below `/api/auth`, which are not part of the documented API. Gives the parsed
 * body, undefined where there is none; throws an ApiError.
 */
export async function askSignIn(method: "GET" | "POST", path: string, body: object = {}): Promise<unknown> {
  const init: RequestInit =
    method === "GET"
      ? {}
      : { method, headers: { "content-type": "application/json", ...csrfHeader() }, body: JSON.stringify(body) };
  const response = await fetch(`/api/auth${path}`, init).catch(() => {
    throw new ApiError(0, "network", "The gateway cannot be reached.");
  });
  const text = await response.text();
  const told = parsed(text);
  if (!response.ok) throw apiErrorOf(response.status, told, response.headers.get("x-request-id"));
  return told;
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field of an answer that is a text. */
export function textField(answer: unknown, name: string): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const value: unknown = Reflect.get(answer, name);
  return typeof value === "string" ? value : undefined;
}
