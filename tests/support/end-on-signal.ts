/** For programs that start processes: a signal ends this one in order, so that what it started ends with it. */
export function endOnSignal(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }
}
