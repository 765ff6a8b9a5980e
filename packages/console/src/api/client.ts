import createClient, { type Middleware } from "openapi-fetch";
import { ApiError, apiErrorOf } from "./api-error.ts";
import type { paths } from "./schema.d.ts";

export { ApiError } from "./api-error.ts";

let csrfToken = "";

/** Set from `GET /api/v1/session`; sent with everything that changes something. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** The header that goes with a change that is asked for by hand. */
export function csrfHeader(): { "x-csrf-token": string } {
  return { "x-csrf-token": csrfToken };
}

let onSignedOut: () => void = () => {};

/** Called when the gateway says that nobody is signed in any more. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

const guard: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("x-csrf-token", csrfToken);
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) onSignedOut();
  },
  onError() {
    return new ApiError(0, "network", "The gateway cannot be reached.");
  },
};

/** The management API, typed by its own document. */
export const api = createClient<paths>({ baseUrl: "", credentials: "same-origin" });
api.use(guard);

/** The answer's body, or an ApiError thrown: `unwrap(api.GET("/api/v1/me"))`. */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await call;
  if (!response.ok) throw apiErrorOf(response.status, error, response.headers.get("x-request-id"));
  // Without an error there is the body that the document names; where it names none, `undefined` is what it says.
  return data as Exclude<Data, undefined>;
}
