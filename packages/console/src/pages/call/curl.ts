import { callHeaders, callPath } from "../../shared/gateway-call.ts";
import type { CallDetail } from "./call-data.ts";

/** The call as a command for a shell, with the key left open. */
export function curlOf(
  call: Pick<CallDetail, "client_protocol" | "model" | "stream">,
  body: string,
  origin: string,
): string {
  const { client_protocol: protocol, model, stream } = call;
  const headers = Object.entries(callHeaders(protocol, "$INTERLINGUA_KEY"));
  return [
    `curl ${quoted(origin + callPath(protocol, model ?? "", stream))}`,
    // In double quotes a shell puts the key in.
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");
}

/** In single quotes, in which a shell reads nothing but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
