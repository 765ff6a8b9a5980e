import type { Report } from "./report.ts";
import { sha256Hex } from "./sha256.ts";

const longest = 64;

/** The end user's id for OpenAI's protocols, which take 64 characters: a longer one goes as its hash, which is as stable (P18). */
export function shortUserId(userId: string, report: Report): string {
  if (userId.length <= longest) return userId;
  report.emulated("user", `The id of the end user is longer than ${longest} characters and was sent as its SHA-256.`);
  return sha256Hex(userId);
}
