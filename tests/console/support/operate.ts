import { inject } from "vitest";
import { cookieHeader } from "./session.ts";

/** Asks the management API for a change in the operator's name; throws where it is refused. */
export async function operate(method: "POST" | "PUT", path: string, body: unknown): Promise<Record<string, unknown>> {
  const { address, sessions } = inject("scene");
  const { operator } = sessions;
  const answer = await fetch(address + path, {
    method,
    headers: {
      "content-type": "application/json",
      cookie: cookieHeader(operator),
      origin: address,
      "x-csrf-token": operator.csrfToken,
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  // A shape that the API's document names.
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** An account of a test's own, with money for calls, and a key of it. */
export async function ownAccount(name: string, dollars: number): Promise<{ id: string; makeKey(): Promise<string> }> {
  const { id } = await operate("POST", "/api/v1/accounts", { name });
  if (dollars > 0) {
    const amount = String(BigInt(dollars) * 1_000_000_000n);
    await operate("POST", `/api/v1/accounts/${id}/credits`, { kind: "top_up", amount });
  }
  return {
    id: String(id),
    async makeKey() {
      const { secret } = await operate("POST", `/api/v1/accounts/${id}/keys`, { name: "first key" });
      return String(secret);
    },
  };
}
