import { z } from "zod";

const form =
  "must be redis://user:password@host:port/0 (or rediss:// for TLS), with signs such as @ : / # in the password as %XX";

/** The address of a Redis or Valkey server. No message repeats the value: it may hold a password (S1). */
export const redis = z.string("must be a text such as redis://host:6379").refine(isAddress, form);

/** Nothing can be set by the address: its times are the gateway's own, since a slow server must not hold up calls (D7). */
function isAddress(text: string): boolean {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname, pathname, search, hash } = new URL(text);
  if (hostname === "" || search !== "" || hash !== "") return false;
  return /^(\/[0-9]{0,5})?$/.test(pathname) && [username, password].every(isEncoded);
}

/** Whether every % begins a code. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
