import type { Measured } from './compare-peers.ts';

/** Renders the table, with how many times the rate of each shop the first one reaches, and what each does for an order. */
export function renderPeers(measured: readonly Measured[]): string {
  const [ours] = measured;
  const lines = measured.map(({ shop, ordersPerSecond, p50Ms, p99Ms, requestsPerOrder }) => {
    const times = (ours?.ordersPerSecond ?? 0) / ordersPerSecond;
    return `| ${shop.name} | ${ordersPerSecond.toFixed(1)} | ${times.toFixed(1)} | ${p50Ms.toFixed(0)} | ${p99Ms.toFixed(0)} | ${requestsPerOrder.toFixed(0)} |`;
  });
  return [
    `| Shop | Orders per second | ${ours?.shop.name} is ahead, times | p50, ms | p99, ms | Requests per order |`,
    '|---|---:|---:|---:|---:|---:|',
    ...lines,
    '',
    ...measured.map(({ shop }) => `- ${shop.name} ${shop.about}`),
  ].join('\n');
}

/** Whether the first shop places more orders a second than each of the others. */
export function isAhead([ours, ...peers]: readonly Measured[]): boolean {
  return peers.every(({ ordersPerSecond }) => (ours?.ordersPerSecond ?? 0) > ordersPerSecond);
}
