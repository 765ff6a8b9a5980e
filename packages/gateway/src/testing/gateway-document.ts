import { type ApiDocument, apiDocument } from "../management/api-document.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { startTestConsole } from "./test-console.ts";

/** The document of the management API, made of the route table of a gateway with all of its parts. */
export async function gatewayDocument(): Promise<ApiDocument> {
  using directory = temporaryDirectory();
  const config = { kind: "sqlite", path: directory.file("api.db") } as const;
  await using place = await startTestConsole({ config, [Symbol.dispose]: () => undefined });
  return apiDocument(place.routes);
}
