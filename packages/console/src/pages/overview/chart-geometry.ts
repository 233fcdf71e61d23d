export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Round numbers from 0 to at least `largest`, about four steps apart. */
export function chartTicks(largest: number): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Which points are named below the chart: the last one, and those before it at even distances, so that the names do not touch. */
export function placeLabels(count: number, width: number): number[] {
  const most = Math.max(Math.floor(width / 96), 2);
  const step = Math.max(Math.ceil(count / most), 1);
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % step === 0,
  );
}

/** A line through all positions that rises and falls only where they do. */
export function linePath(positions: readonly Position[]): string {
  return positions
    .map(({ x, y }, index) => {
      const before = positions[index - 1];
      if (!before) return `M${round(x)} ${round(y)}`;
      const middle = round((before.x + x) / 2);
      return `C${middle} ${round(before.y)} ${middle} ${round(y)} ${round(x)} ${round(y)}`;
    })
    .join('');
}

/** The area between the line and the bottom. */
export function areaPath(positions: readonly Position[], bottom: number): string {
  const first = positions[0];
  const last = positions.at(-1);
  if (!first || !last) return '';
  return `${linePath(positions)}L${round(last.x)} ${bottom}L${round(first.x)} ${bottom}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
