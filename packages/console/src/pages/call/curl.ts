import type { CallDetail } from "./call-data.ts";

/** The call as a command for a shell, with the key left open. */
export function curlOf(
  call: Pick<CallDetail, "client_protocol" | "model" | "stream">,
  body: string,
  origin: string,
): string {
  const model = encodeURIComponent(call.model ?? "");
  const { path, headers } = addressOf(call, model);
  return [
    `curl ${quoted(origin + path)}`,
    ...["content-type: application/json", ...headers].map((header) =>
      header.includes("$") ? `-H "${header}"` : `-H ${quoted(header)}`,
    ),
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");
}

function addressOf(
  { client_protocol, stream }: Pick<CallDetail, "client_protocol" | "stream">,
  model: string,
): { path: string; headers: readonly string[] } {
  switch (client_protocol) {
    case "chat-completions":
      return { path: "/v1/chat/completions", headers: ["authorization: Bearer $INTERLINGUA_KEY"] };
    case "responses":
      return { path: "/v1/responses", headers: ["authorization: Bearer $INTERLINGUA_KEY"] };
    case "messages":
      return { path: "/v1/messages", headers: ["x-api-key: $INTERLINGUA_KEY", "anthropic-version: 2023-06-01"] };
    case "generate-content":
      return {
        path: `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
        headers: ["x-goog-api-key: $INTERLINGUA_KEY"],
      };
  }
}

/** In single quotes, in which a shell reads nothing but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
