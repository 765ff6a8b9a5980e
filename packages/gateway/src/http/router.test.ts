import { describe, expect, it } from "vitest";
import { createRouter } from "./router.ts";
import { type Route, routes } from "./routes.ts";

const router = createRouter(routes);

function found(method: string, path: string) {
  const match = router.match(method, path);
  return match.kind === "found" ? { action: match.route.action, parameter: match.parameter } : match.kind;
}

describe("A5 the table decides", () => {
  it("refuses to start with a route that declares too little", () => {
    const [route] = routes;
    if (!route) throw new Error("the table is empty");
    for (const name of ["auth", "role", "body", "rate", "action", "family"] as const) {
      const { [name]: _left, ...rest } = route;
      // The compiler forbids such a table; this is what a cast or a plain object would bring.
      expect(() => createRouter([rest as Route])).toThrow(`does not declare '${name}'`);
    }
  });

  it("refuses two routes for one address", () => {
    const [route] = routes;
    if (!route) throw new Error("the table is empty");
    expect(() => createRouter([route, route])).toThrow("Two routes claim");
  });

  it("asks for a key everywhere but on the probes and the front page", () => {
    const open = routes.filter((route) => route.auth === "none").map((route) => route.path);
    expect(open).toEqual(["/", "/api/hello", "/healthz", "/readyz"]);
  });
});

describe("every address of the specification", () => {
  it.each([
    ["POST", "/v1/chat/completions", "chat-completions"],
    ["POST", "/chat/completions", "chat-completions"],
    ["POST", "/v1/chat/completions/", "chat-completions"],
    ["POST", "/v1/responses", "responses"],
    ["POST", "/responses", "responses"],
    ["POST", "/v1/messages", "messages"],
    ["POST", "/messages", "messages"],
  ])("%s %s", (method, path, protocol) => {
    expect(found(method, path)).toEqual({ action: { kind: "generate", protocol }, parameter: undefined });
  });

  it.each([
    ["/v1beta/models/m:generateContent", false, "m"],
    ["/v1/models/m:streamGenerateContent", true, "m"],
    ["/v1alpha/models/m:generateContent", false, "m"],
    ["/v1beta/models/vendor/name:free:generateContent", false, "vendor/name:free"],
    ["/v1beta/models/vendor%2Fname%3Afree:generateContent", false, "vendor/name:free"],
    ["/v1beta/models/models/m:generateContent", false, "m"],
    ["/v1beta/tunedModels/m:generateContent", false, "tunedModels/m"],
  ])("POST %s", (path, stream, parameter) => {
    expect(found("POST", path)).toEqual({
      action: { kind: "generate", protocol: "generate-content", stream },
      parameter,
    });
  });

  it("counts", () => {
    expect(found("POST", "/v1beta/models/m:countTokens")).toMatchObject({ action: { kind: "count" }, parameter: "m" });
    expect(found("POST", "/v1/messages/count_tokens")).toMatchObject({ action: { kind: "count" } });
    expect(found("POST", "/v1/responses/input_tokens")).toMatchObject({ action: { kind: "count" } });
  });

  it("shows models, also those with a slash or a colon in their name", () => {
    expect(found("GET", "/v1/models")).toMatchObject({ action: { kind: "list-models" } });
    expect(found("GET", "/v1/models/a/b:free")).toMatchObject({
      action: { kind: "show-model" },
      parameter: "a/b:free",
    });
    expect(found("GET", "/v1beta/models/m")).toMatchObject({ action: { kind: "show-model" }, parameter: "m" });
  });

  it("knows the addresses of stored responses", () => {
    for (const [method, path, operation] of [
      ["GET", "/v1/responses/resp_1", "retrieve"],
      ["DELETE", "/v1/responses/resp_1", "delete"],
      ["POST", "/v1/responses/resp_1/cancel", "cancel"],
      ["GET", "/v1/responses/resp_1/input_items", "list-input"],
    ] as const) {
      const action = { kind: "stored-response", operation };
      expect(found(method, path)).toMatchObject({ action, parameter: "resp_1" });
    }
  });
});

describe("everything else", () => {
  it.each([
    ["POST", "/v1/Chat/Completions"],
    ["POST", "/v2/chat/completions"],
    ["POST", "/v1/v1/messages"],
    ["POST", "/v1beta/models/m:embedContent"],
    ["POST", "/v1beta/models/m"],
    ["GET", "/v1/responses/a/b"],
    // R6: clients that are told so compact their history themselves.
    ["POST", "/v1/responses/compact"],
  ])("%s %s is unknown", (method, path) => {
    expect(found(method, path)).toBe("unknown");
  });

  it("tells the methods that an address knows", () => {
    expect(router.match("GET", "/v1/chat/completions")).toMatchObject({ kind: "wrong-method", allow: ["POST"] });
    expect(router.match("GET", "/v1beta/models/m:generateContent")).toMatchObject({ kind: "wrong-method" });
    expect(router.match("POST", "/v1/models")).toMatchObject({ kind: "wrong-method", allow: ["GET", "HEAD"] });
    expect(router.match("PUT", "/v1/responses/r")).toMatchObject({ kind: "wrong-method", allow: ["GET", "DELETE"] });
  });

  it("refuses a model name that is none", () => {
    expect(found("GET", "/v1/models/%E0%A4%A")).toBe("bad-model");
    expect(found("GET", "/v1/models/a%20b")).toBe("bad-model");
    expect(found("GET", "/v1/models/a%2F..%2Fb")).toBe("bad-model");
  });
});
