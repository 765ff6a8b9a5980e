import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";

/** A file of JSON lines. A line that was appended survives whatever happens to this process or machine. */
export interface DurableLog {
  append(line: object): void;
  close(): void;
}

export function openDurableLog(file: string): DurableLog {
  const descriptor = openSync(file, "a");
  return {
    append(line) {
      writeSync(descriptor, `${JSON.stringify(line)}\n`);
      fdatasyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}
