import type { ProtocolName } from "@interlingua/protocols";
import type { StoredResponseOperation } from "./stored-response.ts";

export type Method = "GET" | "HEAD" | "POST" | "DELETE";

/** What answers a route. */
export type Action =
  | { kind: "generate"; protocol: ProtocolName; stream?: boolean }
  | { kind: "count"; protocol: ProtocolName }
  | { kind: "list-models" }
  | { kind: "show-model" }
  | { kind: "stored-response"; operation: StoredResponseOperation }
  /** An event of a payment provider. */
  | { kind: "webhook"; provider: string }
  | { kind: "welcome" }
  | { kind: "hello" }
  | { kind: "alive" }
  | { kind: "ready" };

/** A route with everything that decides about access (A5): nothing is derived from the request later. */
export interface Route {
  methods: readonly Method[];
  /**
   * Fixed segments, matched case-sensitively. `{model}` is the rest of the path (a model name may hold slashes), a method
   * behind the last colon excepted; `{id}` is one segment.
   */
  path: string;
  /** Whose error shape it speaks; `by-caller` where the headers tell. */
  family: ProtocolName | "by-caller";
  /** `signature`: the body is signed, which is told only when it has been read. */
  auth: "access-key" | "signature" | "none";
  role: "caller" | "anyone";
  /** `call`: up to `limits.bodyBytes`. `webhook`: up to 64 KiB. `none`: a body is not read. */
  body: "call" | "webhook" | "none";
  /** Against what it counts: the key's calls, the key's other requests (counts and lists), or nothing. */
  rate: "call" | "read" | "probe";
  action: Action;
}

const read = { auth: "access-key", role: "caller", body: "none", rate: "read" } as const;
const call = { auth: "access-key", role: "caller", body: "call", rate: "call" } as const;
const open = { auth: "none", role: "anyone", body: "none", rate: "probe" } as const;
const getOrHead: readonly Method[] = ["GET", "HEAD"];
const post: readonly Method[] = ["POST"];

function generate(path: string, protocol: ProtocolName, stream?: boolean): Route {
  const action: Action = { kind: "generate", protocol, ...(stream === undefined ? {} : { stream }) };
  return { methods: post, path, family: protocol, ...call, action };
}

function count(path: string, protocol: ProtocolName): Route {
  return { methods: post, path, family: protocol, ...call, rate: "read", action: { kind: "count", protocol } };
}

/** With and without `/v1`: clients disagree on whether the base address bears it. */
function openRoutes(base: string): Route[] {
  return [
    generate(`${base}/chat/completions`, "chat-completions"),
    generate(`${base}/responses`, "responses"),
    count(`${base}/responses/input_tokens`, "responses"),
    ...storedResponses(base),
    generate(`${base}/messages`, "messages"),
    count(`${base}/messages/count_tokens`, "messages"),
    { methods: getOrHead, path: `${base}/models`, family: "by-caller", ...read, action: { kind: "list-models" } },
    {
      methods: getOrHead,
      path: `${base}/models/{model}`,
      family: "by-caller",
      ...read,
      action: { kind: "show-model" },
    },
  ];
}

function storedResponses(base: string): Route[] {
  const route = (method: Method, path: string, operation: StoredResponseOperation): Route => ({
    methods: [method],
    path: `${base}/responses/${path}`,
    family: "responses",
    ...read,
    action: { kind: "stored-response", operation },
  });
  return [
    route("GET", "{id}", "retrieve"),
    route("DELETE", "{id}", "delete"),
    route("POST", "{id}/cancel", "cancel"),
    route("GET", "{id}/input_items", "list-input"),
  ];
}

function geminiRoutes(base: string): Route[] {
  const routes: Route[] = [];
  for (const collection of ["models", "tunedModels"]) {
    const model = `${base}/${collection}/{model}`;
    routes.push(
      generate(`${model}:generateContent`, "generate-content", false),
      generate(`${model}:streamGenerateContent`, "generate-content", true),
      count(`${model}:countTokens`, "generate-content"),
    );
  }
  return routes;
}

function geminiLists(base: string): Route[] {
  const list = { methods: getOrHead, family: "generate-content", ...read } as const;
  return [
    { ...list, path: `${base}/models`, action: { kind: "list-models" } },
    { ...list, path: `${base}/models/{model}`, action: { kind: "show-model" } },
  ];
}

/** The addresses of the payment providers that are configured; of no others (M13). */
export function webhookRoutes(providers: readonly { name: string }[]): Route[] {
  return providers.map(({ name }) => ({
    methods: post,
    path: `/webhooks/${name}`,
    family: "by-caller",
    auth: "signature",
    role: "anyone",
    body: "webhook",
    rate: "probe",
    action: { kind: "webhook", provider: name },
  }));
}

/** Every address that the gateway answers, but for those of payment providers. */
export const routes: readonly Route[] = [
  ...openRoutes("/v1"),
  ...openRoutes(""),
  ...["/v1", "/v1beta", "/v1alpha"].flatMap(geminiRoutes),
  ...["/v1beta", "/v1alpha"].flatMap(geminiLists),
  { methods: getOrHead, path: "/", family: "by-caller", ...open, action: { kind: "welcome" } },
  { methods: getOrHead, path: "/api/hello", family: "messages", ...open, action: { kind: "hello" } },
  { methods: getOrHead, path: "/healthz", family: "by-caller", ...open, action: { kind: "alive" } },
  { methods: getOrHead, path: "/readyz", family: "by-caller", ...open, action: { kind: "ready" } },
];
