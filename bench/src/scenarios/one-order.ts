import { randomInt } from 'node:crypto';
import { fetchBody } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { shareOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** One order with its client and lines. Every request reads a random order. */
export const oneOrder: Scenario = {
  name: 'one-order',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const requests = bench.unseenSignatures().map((headers) => ({
      path: `/${idOf('order', tokens.large, randomInt(sizes.orders))}`,
      headers,
    }));
    const ordersUrl = `${service.baseUrl}/dapp/orders`;
    const [first] = requests;
    if (!first) return [];
    const origin = await bench.startLimitServer(signers.large, await fetchBody(ordersUrl, first));
    const toService = bench.registerRequests(requests);
    const toLimit = bench.registerRequests(requests);
    const every = (seconds: number) => ({
      order: () => bench.measureRate(ordersUrl, toService, { until: { seconds } }),
      limit: () => bench.measureRate(`${origin}/order`, toLimit, { until: { seconds } }),
    });
    const { order, limit } = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
    return [
      {
        id: 'one order',
        what: 'GET /dapp/orders/{orderId}, different orders',
        figure: { value: order, unit: 'req/s' },
        limit: { what: 'fastify, one verification, one query by primary key', value: limit, unit: 'req/s' },
        judged: shareOf(order, limit, 0.8),
      },
    ];
  },
};
