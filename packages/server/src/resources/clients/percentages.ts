const hundredthsOfPercent = 100 * 100;

/**
 * Computes the share of each count in per cent, with at most two decimals. Uses the largest remainder method, so the shares
 * always add up to 100. Of equal remainders, the first wins. If all counts are 0, all shares are 0.
 */
export function computePercentages(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const shares = counts.map((count, index) => {
    const scaled = count * hundredthsOfPercent;
    return { index, units: Math.floor(scaled / total), lost: scaled % total };
  });
  const left = hundredthsOfPercent - shares.reduce((sum, { units }) => sum + units, 0);
  const raised = new Set(
    shares
      .toSorted((one, other) => other.lost - one.lost)
      .slice(0, left)
      .map(({ index }) => index),
  );
  return shares.map(({ index, units }) => (units + (raised.has(index) ? 1 : 0)) / 100);
}
