import { useFormat } from "./format.ts";

/** A moment; the whole of it in the title. */
export function Time({ at, relative = false }: { at: number; relative?: boolean }) {
  const format = useFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.time(at)}>
      {relative ? format.relative(at) : format.timeShort(at)}
    </time>
  );
}
