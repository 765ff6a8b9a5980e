import { CallsError } from "./calls-error.ts";

/** The order of a list of calls, by their begin. */
export type CallOrder = "newest" | "oldest";

/** A place in a list of calls: that of a call, or between calls where the id is empty. */
export interface CallPlace {
  /** Unix milliseconds. */
  startedAt: number;
  id: string;
}

const form = /^(newest|oldest) ([0-9]{1,16}) ([\x21-\x7e]{1,128})$/;

/** A place as a text for whoever asks for the next page, who is not to read it. */
export function writeCursor(order: CallOrder, { startedAt, id }: CallPlace): string {
  return Buffer.from(`${order} ${startedAt} ${id}`, "latin1").toString("base64url");
}

/** The place that a text names. Throws a CallsError when it is none of ours, or one of a list in the other order. */
export function readCursor(order: CallOrder, text: string): CallPlace {
  const match = text.length <= 256 ? form.exec(Buffer.from(text, "base64url").toString("latin1")) : null;
  const startedAt = Number(match?.[2]);
  if (!match || !Number.isSafeInteger(startedAt)) throw new CallsError("The cursor is not one of a list of calls");
  if (match[1] !== order) throw new CallsError(`The cursor is one of a list with the ${match[1]} calls first`);
  return { startedAt, id: match[3] ?? "" };
}
