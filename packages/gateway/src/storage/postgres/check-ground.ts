import type { Client } from "pg";
import { StorageError } from "../database.ts";

/** 140000 is version 14.0. */
const oldestServer = 140_000;

/** Refuses a server on which an acknowledged commit could be lost, or a text could not be stored (O5, M4). */
export async function checkGround(client: Client, allowUnsafe: boolean): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS shown,
      current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes`,
  );
  const settings = rows[0] ?? {};
  if (Number(settings.version) < oldestServer)
    throw refused(`PostgreSQL ${settings.shown} is too old: 14 or later is needed`);
  if (settings.encoding !== "UTF8")
    throw refused(`The database's encoding is ${settings.encoding}: make it with ENCODING 'UTF8'`);
  if (allowUnsafe) return;
  for (const setting of ["fsync", "full_page_writes"]) {
    if (settings[setting] === "on") continue;
    throw refused(
      `The server runs with ${setting}=off and may lose acknowledged calls: switch it on, or set INTERLINGUA_ALLOW_UNSAFE_DATABASE=1 where nothing of worth is stored`,
    );
  }
}

function refused(message: string): StorageError {
  return new StorageError("fatal", message);
}
