import type { Protocol } from "./models-query.ts";

/** A call by curl that works as it stands, once a key is in the environment. */
export function snippet(protocol: Protocol, origin: string, id: string): string {
  const model = id.includes("*") ? id.replaceAll("*", "…") : id;
  const lines = (path: string, headers: readonly string[], body: object) =>
    [
      `curl ${origin}${path}`,
      ...["content-type: application/json", ...headers].map((header) => `  -H "${header}"`),
      `  -d '${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}'`,
    ].join(" \\\n");
  const bearer = "authorization: Bearer $INTERLINGUA_KEY";
  const messages = [{ role: "user", content: "Hello" }];
  switch (protocol) {
    case "chat-completions":
      return lines("/v1/chat/completions", [bearer], { model, messages });
    case "responses":
      return lines("/v1/responses", [bearer], { model, input: "Hello" });
    case "messages": {
      const headers = ["x-api-key: $INTERLINGUA_KEY", "anthropic-version: 2023-06-01"];
      return lines("/v1/messages", headers, { model, max_tokens: 256, messages });
    }
    case "generate-content": {
      const path = `/v1beta/models/${encodeURIComponent(model)}:generateContent`;
      return lines(path, ["x-goog-api-key: $INTERLINGUA_KEY"], { contents: [{ parts: [{ text: "Hello" }] }] });
    }
  }
}
