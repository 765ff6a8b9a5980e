import { z } from "zod";

/** A database as the file names it. */
export type DatabaseAddress = { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };

/** `sqlite:<file>`, or the address of a PostgreSQL database. No message repeats the value: it may hold a password (S1). */
export const database = z
  .string("must be a text such as sqlite:data/interlingua.db")
  .transform((text, context): DatabaseAddress => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (/^postgres(ql)?:/.test(text)) {
      const mistake = mistakeOf(text);
      return mistake === undefined ? { kind: "postgres", url: text } : refuse(mistake);
    }
    const path = /^sqlite:(.+)$/.exec(text)?.[1];
    if (path === undefined)
      return refuse(
        "must be sqlite:<file>, such as sqlite:data/interlingua.db, or postgres://user:password@host:port/name",
      );
    if (path.includes(":memory:")) return refuse("must be a file: calls are recorded durably");
    return { kind: "sqlite", path };
  });

/** What an address may set. All else (timeouts, sessions) is the gateway's own: its durability stands on it. */
const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "application_name"];

function mistakeOf(text: string): string | undefined {
  const form = "must be postgres://user:password@host:port/name, with signs such as @ : / # in the password as %XX";
  if (!URL.canParse(text)) return form;
  const { username, password, hostname, pathname, hash, searchParams } = new URL(text);
  if (![username, password, pathname].every(isEncoded)) return form;
  if (hostname === "" || hash !== "" || !/^\/[^/]+$/.test(pathname)) return form;
  const unknown = [...searchParams.keys()].some((name) => !parameters.includes(name));
  return unknown ? `the address may have no other parameters than ${parameters.join(", ")}` : undefined;
}

/** Whether every % begins a code. */
function isEncoded(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}
