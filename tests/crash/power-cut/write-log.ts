/** One record of the shim's log (shim.c). */
export interface DiskWrite {
  kind: "write" | "truncate" | "unlink" | "sync";
  /** The file's path. */
  file: string;
  /** `write`: where. `truncate`: the new size. `sync`: the number of the first record that it does not cover. */
  place: number;
  bytes: Buffer;
  /** Where the record ends in the log. */
  end: number;
}

const headLength = 20;

const kinds = { W: "write", T: "truncate", U: "unlink", S: "sync" } as const;

/**
 * Reads a whole log of one process. The records are in their order, numbered as the shim numbers them; undefined in the
 * places of those that only give a file its name.
 */
export function readWriteLog(log: Buffer): (DiskWrite | undefined)[] {
  const files = new Map<number, string>();
  const records: (DiskWrite | undefined)[] = [];
  for (let at = 0; at < log.length; ) {
    const letter = String.fromCharCode(log[at] ?? 0);
    const number = log.readUInt32LE(at + 4);
    const place = Number(log.readBigUInt64LE(at + 8));
    const end = at + headLength + log.readUInt32LE(at + 16);
    const bytes = log.subarray(at + headLength, end);
    at = end;
    if (letter === "F") {
      files.set(number, bytes.toString("utf8"));
      records.push(undefined);
    } else if (letter === "W" || letter === "T" || letter === "U" || letter === "S") {
      records.push({ kind: kinds[letter], file: files.get(number) ?? "", place, bytes, end });
    } else {
      throw new Error(`The log of writes is broken at byte ${at}.`);
    }
  }
  return records;
}
