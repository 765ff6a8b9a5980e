/** A stretch of the past and how many calls begin in it. */
export interface PastHour {
  begin: number;
  end: number;
  calls: number;
}

const hourMs = 3_600_000;

/** Shares out the calls over 30 days up to `now`: busy days, quiet nights and weekends, and a little growth. */
export function pastHours(calls: number, now: number): PastHour[] {
  const begin = Math.floor((now - 30 * 24 * hourMs) / hourMs) * hourMs;
  const hours: { begin: number; end: number; weight: number }[] = [];
  for (let at = begin; at < now; at += hourMs) {
    const end = Math.min(at + hourMs, now);
    const date = new Date(at);
    const day = 0.35 + Math.max(0, Math.sin(((date.getUTCHours() - 6) / 14) * Math.PI)) * 1.3;
    const week = date.getUTCDay() === 0 || date.getUTCDay() === 6 ? 0.45 : 1;
    const growth = 0.8 + (0.4 * (at - begin)) / (now - begin);
    const unrest = 1 + 0.12 * Math.sin(at / 7_919_000) + 0.06 * Math.sin(at / 1_237_000);
    hours.push({ begin: at, end, weight: (day * week * growth * unrest * (end - at)) / hourMs });
  }
  const sum = hours.reduce((total, { weight }) => total + weight, 0);
  let shared = 0;
  let passed = 0;
  return hours.map(({ begin: from, end, weight }) => {
    passed += weight;
    const upTo = Math.round((calls * passed) / sum);
    const share = upTo - shared;
    shared = upTo;
    return { begin: from, end, calls: share };
  });
}
