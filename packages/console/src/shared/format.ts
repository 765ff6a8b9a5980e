import { useMemo } from "react";
import { type Language, useLanguage } from "./text.ts";

/** How figures are written in the reader's language. Money comes as nano-dollars in a decimal text. */
export interface Format {
  /** All digits that there are: `$0.000412`, `$1,250.00`. */
  money(nano: string): string;
  /** For summaries: two decimals, or three significant digits below a cent. The exact amount belongs into the title. */
  moneyShort(nano: string): string;
  count(value: number): string;
  /** `1.2M`, for narrow places. */
  countShort(value: number): string;
  /** Of a share between 0 and 1. */
  percent(share: number): string;
  /** Always with one decimal, for figures under each other. */
  percentAligned(share: number): string;
  /** Milliseconds: `840 ms`, `1.24 s`, `3 min 20 s`, `4 h 5 min`. */
  duration(ms: number): string;
  /** `21 Nov 2026, 14:03:22`. */
  time(at: number): string;
  /** Without the day where it is today. */
  timeShort(at: number): string;
  date(at: number): string;
  /** `3 minutes ago`, `in 2 days`. */
  relative(at: number, now?: number): string;
  bytes(count: number): string;
}

const locales: Record<Language, string> = { en: "en-GB", zh: "zh-CN" };

function formatFor(language: Language): Format {
  const locale = locales[language];
  const numbers = language === "en" ? "en-US" : "zh-CN";
  const whole = new Intl.NumberFormat(numbers, { maximumFractionDigits: 0 });
  const compact = new Intl.NumberFormat(numbers, { notation: "compact", maximumFractionDigits: 1 });
  const share = new Intl.NumberFormat(numbers, { style: "percent", maximumFractionDigits: 1 });
  const alignedShare = new Intl.NumberFormat(numbers, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const seconds = new Intl.NumberFormat(numbers, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const ago = new Intl.RelativeTimeFormat(language === "zh" ? "zh-CN" : "en", { numeric: "auto" });
  const sameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString();
  const dollars = (nano: bigint, decimals: string) => {
    const size = nano < 0n ? -nano : nano;
    return `${nano < 0n ? "−" : ""}$${whole.format(size / 1_000_000_000n)}.${decimals}`;
  };
  const decimalsOf = (nano: bigint) => String((nano < 0n ? -nano : nano) % 1_000_000_000n).padStart(9, "0");
  const money = (text: string) => {
    const nano = BigInt(text);
    const decimals = decimalsOf(nano);
    return dollars(nano, decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, ""));
  };
  return {
    money,
    moneyShort(text) {
      const nano = BigInt(text);
      const size = nano < 0n ? -nano : nano;
      if (size === 0n) return dollars(0n, "00");
      if (size < 10_000_000n) {
        const decimals = decimalsOf(nano);
        const first = decimals.search(/[1-9]/);
        return dollars(nano, decimals.slice(0, Math.min(9, first + 3)).replace(/(?<=..)0+$/, ""));
      }
      const cents = (size + 5_000_000n) / 10_000_000n;
      return dollars((nano < 0n ? -1n : 1n) * cents * 10_000_000n, String(cents % 100n).padStart(2, "0"));
    },
    count: (value) => whole.format(value),
    countShort: (value) => (Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value)),
    percent: (value) => share.format(value),
    percentAligned: (value) => alignedShare.format(value),
    duration(ms) {
      if (ms < 1000) return `${whole.format(ms)} ms`;
      if (ms < 60_000) return `${seconds.format(ms / 1000)} s`;
      const minutes = Math.floor(ms / 60_000);
      if (minutes >= 60) return `${whole.format(Math.floor(minutes / 60))} h ${minutes % 60} min`;
      return `${whole.format(minutes)} min ${whole.format((ms % 60_000) / 1000)} s`;
    },
    time: (at) => moment.format(at),
    timeShort: (at) => (sameDay(at, Date.now()) ? clock.format(at) : moment.format(at)),
    date: (at) => day.format(at),
    relative(at, now = Date.now()) {
      const diff = (at - now) / 1000;
      for (const [unit, size] of units) {
        if (Math.abs(diff) >= size || unit === "second") return ago.format(Math.round(diff / size), unit);
      }
      return "";
    },
    bytes(count) {
      if (count < 1024) return `${whole.format(count)} B`;
      if (count < 1024 * 1024) return `${whole.format(count / 1024)} KiB`;
      return `${seconds.format(count / 1024 / 1024)} MiB`;
    },
  };
}

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

export function useFormat(): Format {
  const language = useLanguage();
  return useMemo(() => formatFor(language), [language]);
}
