/** One colour of a stack, and what it stands for. */
export interface BarSeries {
  name: string;
  /** A colour of CSS, good on both grounds. */
  colour: string;
  /** The heights, in the order of the times. */
  values: readonly number[];
  /** The same as they are told, exact. */
  shown: readonly string[];
}

export interface StackedBarsProps {
  /** What the chart shows, in a sentence, for those who do not see it. */
  label: string;
  times: readonly number[];
  /** From the ground up. */
  series: readonly BarSeries[];
  /** A time below its bar. */
  tick: (time: number) => string;
  /** A time in full. */
  full: (time: number) => string;
  /** A height at the axis. */
  scale: (value: number) => string;
  /** The sum of all of a time, as it is told; none where there is but one series. */
  totals?: readonly string[];
  totalName?: string;
  height?: number;
  /** Makes bars open what they stand for, by the place of their time. */
  onPick?: (place: number) => void;
}

/** Colours that tell values apart on a light and on a dark ground. */
export const seriesColours = [
  "#1f8f93",
  "#5c7fd6",
  "#d18a34",
  "#9a70c8",
  "#56a36c",
  "#cc6285",
  "#a29a3c",
  "#57a5cb",
] as const;

/** For all others together. */
export const otherColour = "#89969a";
/** For what went wrong. */
export const failedColour = "#d4605a";
