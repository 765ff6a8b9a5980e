import { StorageError, type StorageErrorKind } from "../database.ts";

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
const code = {
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
};

/** What a thrown value of `node:sqlite` means for the one who asked. */
export function classifyError(error: unknown): StorageErrorKind {
  if (error instanceof StorageError) return error.kind;
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return "statement";
  // The low byte is the primary code; what is above it tells the place.
  switch (error.errcode & 0xff) {
    case code.constraint:
      return "constraint";
    case code.busy:
    case code.locked:
      return "busy";
    case code.full:
      return "full";
    case code.ioError:
    case code.corrupt:
    case code.notADatabase:
    case code.cannotOpen:
    case code.readOnly:
    case code.perm:
      return "fatal";
    default:
      return "statement";
  }
}
