import { expect, it } from 'vitest';
import type { Measured } from './compare-peers.ts';
import { isAhead, renderPeers } from './render-peers.ts';

const measured = (name: string, ordersPerSecond: number): Measured => ({
  shop: { name, about: 'places an order.' },
  ordersPerSecond,
  p50Ms: 12.4,
  p99Ms: 99.6,
  requestsPerOrder: 3,
});

it('shows how many times the rate of each peer ours is', () => {
  expect(renderPeers([measured('Ours', 300), measured('Peer', 40)]).split('\n')).toEqual([
    '| Shop | Orders per second | Ours is ahead, times | p50, ms | p99, ms | Requests per order |',
    '|---|---:|---:|---:|---:|---:|',
    '| Ours | 300.0 | 1.0 | 12 | 100 | 3 |',
    '| Peer | 40.0 | 7.5 | 12 | 100 | 3 |',
    '',
    '- Ours places an order.',
    '- Peer places an order.',
  ]);
});

it('is ahead if it has the highest rate', () => {
  expect(isAhead([measured('Ours', 30), measured('A', 29), measured('B', 1)])).toBe(true);
  expect(isAhead([measured('Ours', 30), measured('A', 29), measured('B', 30)])).toBe(false);
});
