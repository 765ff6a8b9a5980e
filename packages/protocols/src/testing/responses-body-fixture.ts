import type { JsonObject } from "../canonical/index.ts";
import { decodeRequest } from "../responses/request-decoder.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";

/** A vault that hides nothing. */
export const vault = plainVault();

/** A client's body, decoded. */
export const decode = (body: JsonObject) => decodeRequest(body, {}, { vault });

/** A canonical value without the places it came from and this codec's own marks. */
export function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === "at" && typeof inner === "string") return undefined;
      if (key === "extras" && isObject(inner) && isObject(inner.responses)) {
        return Object.keys(inner.responses).every((name) => name.startsWith("$")) ? undefined : inner;
      }
      return inner;
    }),
  );
}
