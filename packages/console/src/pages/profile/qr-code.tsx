import { useMemo } from "react";
import { qrMatrix } from "./qr-matrix.ts";

/** Light modules around the code, as readers ask for. */
const quiet = 4;

/** A text as a QR code, dark on light in both themes, since many readers take no other. */
export function QrCode({ text, label, size }: { text: string; label: string; size: number }) {
  const { path, side } = useMemo(() => {
    const matrix = qrMatrix(text);
    const squares = matrix.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])),
    );
    return { path: squares.join(""), side: matrix.length + 2 * quiet };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
