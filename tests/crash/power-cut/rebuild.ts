import type { SeededRandom } from "../../support/seeded-random.ts";
import type { DiskWrite } from "./write-log.ts";

/** What became of the writes that no sync had covered when the power went. */
export type Fate = "none arrived" | "all arrived" | "some arrived" | "some arrived torn";

/** The files as a power cut left them, by path. */
export type Wreck = ReadonlyMap<string, Buffer>;

/** Puts files together as they may lie on the disk after a power cut. Cuts must be asked for in rising order. */
export interface Rebuilder {
  /** The files after a cut right before the record with this number, and how many writes were not synced. */
  cutAt(record: number, fate: Fate, random: SeededRandom): { files: Wreck; unsynced: number };
}

/** What a disk writes whole. */
const sector = 512;

/** `base`: the files at the begin of the log, all of it synced. */
export function createRebuilder(base: Wreck, records: readonly (DiskWrite | undefined)[]): Rebuilder {
  const durable = new Map([...base].map(([file, bytes]) => [file, fileOf(bytes)]));
  /** By file: what has been written and not been carried over yet, in order. */
  const pending = new Map<string, { number: number; write: DiskWrite }[]>();
  let read = 0;

  const advance = (to: number) => {
    for (; read < to; read++) {
      const write = records[read];
      if (!write) continue;
      const { kind, file } = write;
      const waiting = pending.get(file) ?? [];
      pending.set(file, waiting);
      switch (kind) {
        case "write":
        case "truncate":
          waiting.push({ number: read, write });
          break;
        case "unlink":
          // Taken as done at once: the directory's own sync is not told apart.
          durable.delete(file);
          pending.delete(file);
          break;
        case "sync": {
          const image = durable.get(file) ?? fileOf(Buffer.alloc(0));
          durable.set(file, image);
          const covered = waiting.findIndex(({ number }) => number >= write.place);
          for (const done of waiting.splice(0, covered === -1 ? waiting.length : covered)) apply(image, done.write);
        }
      }
    }
  };

  return {
    cutAt(record, fate, random) {
      advance(record);
      const files = new Map<string, Buffer>();
      let unsynced = 0;
      for (const file of new Set([...durable.keys(), ...pending.keys()])) {
        // Shared memory is gone with the power.
        if (file.endsWith("-shm")) continue;
        const image = copyOf(durable.get(file));
        for (const { write } of pending.get(file) ?? []) {
          unsynced += 1;
          for (const piece of arrived(write, fate, random)) apply(image, piece);
        }
        files.set(file, image.bytes.subarray(0, image.size));
      }
      return { files, unsynced };
    },
  };
}

/** What of a write has reached the disk. */
function arrived(write: DiskWrite, fate: Fate, random: SeededRandom): DiskWrite[] {
  switch (fate) {
    case "none arrived":
      return [];
    case "all arrived":
      return [write];
    case "some arrived":
      return random.chance(0.5) ? [write] : [];
    case "some arrived torn": {
      if (write.kind !== "write" || random.chance(0.5)) return random.chance(0.5) ? [write] : [];
      return sectorsOf(write).filter(() => random.chance(0.5));
    }
  }
}

/** A write cut where the disk's sectors begin. */
function sectorsOf(write: DiskWrite): DiskWrite[] {
  const pieces: DiskWrite[] = [];
  for (let from = 0; from < write.bytes.length; ) {
    const to = Math.min(write.bytes.length, from + sector - ((write.place + from) % sector));
    pieces.push({ ...write, place: write.place + from, bytes: write.bytes.subarray(from, to) });
    from = to;
  }
  return pieces;
}

/** A file in memory that can grow. */
interface Image {
  bytes: Buffer;
  size: number;
}

function fileOf(bytes: Buffer): Image {
  return { bytes: Buffer.from(bytes), size: bytes.length };
}

function copyOf(image: Image | undefined): Image {
  return fileOf(image ? image.bytes.subarray(0, image.size) : Buffer.alloc(0));
}

function apply(image: Image, write: DiskWrite): void {
  if (write.kind === "truncate") {
    grow(image, write.place);
    image.bytes.fill(0, write.place, image.size);
    image.size = write.place;
    return;
  }
  const end = write.place + write.bytes.length;
  grow(image, end);
  write.bytes.copy(image.bytes, write.place);
  image.size = Math.max(image.size, end);
}

function grow(image: Image, size: number): void {
  if (size <= image.bytes.length) return;
  const larger = Buffer.alloc(Math.max(size, image.bytes.length * 2));
  image.bytes.copy(larger, 0, 0, image.size);
  image.bytes = larger;
}
