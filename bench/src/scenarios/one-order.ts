import { randomInt } from 'node:crypto';
import { fetchBody } from '../bench.ts';
import { measureInTurn } from '../measure/in-turn.ts';
import { shareOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** One order with its client and lines, another one each time. */
export const oneOrder: Scenario = {
  name: 'one-order',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const requests = bench.neverSeen().map((headers) => ({
      path: `/${idOf('order', tokens.large, randomInt(sizes.orders))}`,
      headers,
    }));
    const ordersUrl = `${service.baseUrl}/dapp/orders`;
    const [first] = requests;
    if (!first) return [];
    const origin = await bench.limitServer(signers.large, await fetchBody(ordersUrl, first));
    const toService = bench.handOver(requests);
    const toLimit = bench.handOver(requests);
    const every = (seconds: number) => ({
      order: () => bench.rateOf(ordersUrl, toService, { until: { seconds } }),
      limit: () => bench.rateOf(`${origin}/order`, toLimit, { until: { seconds } }),
    });
    const { order, limit } = await measureInTurn(every(sizes.runSeconds), every(sizes.warmUpSeconds));
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
