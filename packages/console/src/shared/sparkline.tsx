import classes from "./sparkline.module.css";

const step = 6;
const height = 20;

/** Bars of a short series, as wide as a cell. `label` says in words what they show. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(...values, 0);
  const width = values.length * step;
  const bars = values.map((value, index) => ({
    x: index * step,
    size: most === 0 || value === 0 ? 1 : Math.max(2, (value / most) * height),
    zero: value === 0,
  }));
  return (
    <svg
      className={classes.sparkline}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {bars.map(({ x, size, zero }) => (
        <rect key={x} x={x} y={height - size} width={step - 2} height={size} rx={1} data-zero={zero} />
      ))}
    </svg>
  );
}
