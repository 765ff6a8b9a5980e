/** Runs work over so many bytes of input, and may hold it to a bound. */
export type Watch = (bytes: number, work: () => void) => void;

/** Holds nothing: for runs beside other tests, where the time says nothing. */
export const unwatched: Watch = (_bytes, work) => work();

/** Beside what the bytes may take: the first run of a path is slow, and the garbage collector takes its turn. */
const allowanceMs = 400;
/** 64 KiB may take 650 ms of one core: far above what any path takes, far below what one takes that looks at all bytes for each. */
const msPerByte = 0.01;

/** Holds work to CPU time that grows no faster than its input, so that no stream and no body can stop the gateway. */
export const watched: Watch = (bytes, work) => {
  const bound = allowanceMs + bytes * msPerByte;
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  const took = (user + system) / 1000;
  if (took > bound) throw new Error(`${bytes} bytes took ${Math.round(took)} ms of CPU time, more than ${bound}.`);
};
