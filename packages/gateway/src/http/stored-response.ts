import { canonicalError, type JsonObject, ProtocolError, refuse } from "@interlingua/protocols";
import { listInputItems } from "../stored-responses/input-items.ts";
import type { StoredResponses } from "../stored-responses/stored-responses.ts";

/** What can be done with a stored response. */
export type StoredResponseOperation = "retrieve" | "delete" | "cancel" | "list-input";

/** A request about the stored response of an account. */
export interface StoredResponseRequest {
  accountId: string;
  id: string;
  operation: StoredResponseOperation;
  /** Without its question mark. */
  query: string;
}

/**
 * Answers a request about a stored response (responses.md section 1). Throws a `ProtocolError`: 404 for one that is not
 * there or another account's, 400 for what cannot be done. Rejects with a StorageError.
 */
export async function answerStoredResponse(
  stored: StoredResponses,
  { accountId, id, operation, query }: StoredResponseRequest,
): Promise<JsonObject> {
  if (operation === "delete") {
    if (!(await stored.remove(accountId, id))) throw notFound(id);
    return { id, object: "response", deleted: true };
  }
  const found = await stored.read(accountId, id);
  if (!found) throw notFound(id);
  const parameters = new URLSearchParams(query);
  switch (operation) {
    case "cancel":
      return refuse(undefined, "Cannot cancel a synchronous response.");
    case "list-input":
      return listInputItems(found, parameters);
    case "retrieve":
      if (parameters.get("stream") === "true") {
        refuse("stream", "'stream' cannot be used: a stored response is read as a whole.", "unsupported_parameter");
      }
      return found.response;
  }
}

function notFound(id: string): ProtocolError {
  return new ProtocolError(canonicalError("not_found", `Response with id '${id.slice(0, 128)}' not found.`));
}
