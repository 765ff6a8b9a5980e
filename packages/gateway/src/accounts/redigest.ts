import type { Database, Statement } from "../storage/database.ts";

/** A digest that was made under a former secret, and what it is under the one in use. */
export interface Redigest {
  publicId: string;
  from: Uint8Array;
  to: Uint8Array;
}

/**
 * The statements that write the digest of a key's secret anew, wherever that secret stands. They change nothing that
 * anybody could see: no other gateway is told, and what knows the former secret goes on to take the old digest.
 */
export function redigestStatements({ build }: Pick<Database, "build">, { publicId, from, to }: Redigest): Statement[] {
  return [
    build
      .updateTable("access_key")
      .set({ digest: to })
      .where("public_id", "=", publicId)
      .where("digest", "=", from)
      .compile(),
    build
      .updateTable("former_secret")
      .set({ digest: to })
      .where("public_id", "=", publicId)
      .where("digest", "=", from)
      .compile(),
  ];
}
