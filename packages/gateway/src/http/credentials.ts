import type { IncomingHttpHeaders } from "node:http";

/** What a request bears as its access key. `value` is as it came: spaces in it are the authenticator's to refuse. */
export type PresentedCredential =
  | { kind: "key"; value: string; query: string }
  | { kind: "missing" }
  | { kind: "conflict"; places: readonly string[] };

/**
 * Collects the key from every place of every family (specification.md 4): the same key serves all of them. Two different
 * ones are refused, so that no proxy in front can mean another than the gateway does. `query` comes back without `key`.
 */
export function readCredential(headers: IncomingHttpHeaders, query: string): PresentedCredential {
  const found: { place: string; value: string }[] = [];
  const authorization = headers.authorization;
  if (authorization !== undefined && authorization !== "") {
    const scheme = /^bearer /i.exec(authorization);
    // Another scheme is no key of ours: it stays whole, holds a space, and is refused as a wrong key.
    found.push({ place: "authorization", value: scheme ? authorization.slice(scheme[0].length) : authorization });
  }
  for (const place of ["x-api-key", "x-goog-api-key", "x-partner-api-key"]) {
    const value = headers[place];
    if (typeof value === "string" && value !== "") found.push({ place, value });
  }
  const inQuery = query.includes("key=") ? new URLSearchParams(query) : undefined;
  for (const value of inQuery?.getAll("key") ?? []) if (value !== "") found.push({ place: "?key=", value });

  const [first] = found;
  if (!first) return { kind: "missing" };
  if (found.some((entry) => entry.value !== first.value)) {
    return { kind: "conflict", places: found.map((entry) => entry.place) };
  }
  inQuery?.delete("key");
  return { kind: "key", value: first.value, query: inQuery ? inQuery.toString() : query };
}

/**
 * The version header that a messages request must bear, a date (specification.md 4), or what is wrong with it.
 * The field's name is the vendor's spelling, which nearly every client sends.
 */
export function readVersion(headers: IncomingHttpHeaders): { version: string } | { problem: string } {
  const value = headers["anthropic-version"] ?? headers["partner-version"];
  if (value === undefined || value === "") {
    return { problem: "The header 'anthropic-version' is required, for example 'anthropic-version: 2023-06-01'." };
  }
  if (typeof value !== "string" || !isDate(value)) {
    return { problem: "The header 'anthropic-version' must be a date, YYYY-MM-DD." };
  }
  return { version: value };
}

function isDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!match) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
