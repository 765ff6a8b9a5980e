import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { StackedBarsProps } from "./bar-series.ts";

const Chart = lazy(() => import("./stacked-bars-chart.tsx"));

/** Bars over time. The library for charts is loaded with the first one that is shown. */
export function StackedBars(props: StackedBarsProps) {
  const { height = 240 } = props;
  return (
    <Suspense fallback={<Skeleton h={height} />}>
      <Chart {...props} height={height} />
    </Suspense>
  );
}
