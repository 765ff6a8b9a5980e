import { pause } from "../replicas/gateway-process.ts";
import type { PlainSql } from "../support/plain-sql.ts";

/** A reservation is free a minute after its owner's death at the latest (M15). */
const patienceMs = 65_000;

/** Waits until no money is set aside: how many milliseconds that took, or undefined where some stays. */
export async function untilNoneIsOpen(sql: PlainSql): Promise<number | undefined> {
  const begin = performance.now();
  while (performance.now() < begin + patienceMs) {
    if ((await openReservations(sql)).length === 0) return Math.round(performance.now() - begin);
    await pause(250);
  }
  return undefined;
}

/** The ids of the calls that have money set aside. */
export async function openReservations(sql: PlainSql): Promise<string[]> {
  const rows = await sql.all("select call_id from reservation where state = 'open'");
  return rows.map((row) => String(row.call_id));
}
