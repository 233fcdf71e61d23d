import { measureInterleaved } from '../measure/interleaved.ts';
import { shareOf } from '../report/row.ts';
import { withCheckoutRuns } from './checkout-runs.ts';
import type { Scenario } from './scenario.ts';

/** Checkouts of carts with three lines, each with an Idempotency-Key. */
export const checkout: Scenario = {
  name: 'checkout',
  measure: (bench) =>
    withCheckoutRuns(bench, async ({ prepareService, limit: pgbench, plainFunction }) => {
      const service = prepareService(bench.service.baseUrl);
      const { order, limit, plain } = await measureInterleaved(
        { order: service.measure, limit: pgbench.measure, plain: plainFunction.measure },
        { order: service.warmUp, limit: pgbench.warmUp, plain: plainFunction.warmUp },
      );
      return [
        {
          // The id is older than the name of the scenario. It stays, so that old results can be compared.
          id: 'placing orders',
          what: 'POST /dapp/orders, 3 lines, Idempotency-Key',
          figure: { value: order, unit: 'req/s' },
          limit: {
            what: 'pgbench, the same statements, prepared, in the same pipelines',
            value: limit,
            unit: 'tx/s',
          },
          judged: shareOf(order, limit, 0.5),
        },
        {
          id: 'placing orders, plain function',
          what: 'the same',
          figure: { value: order, unit: 'req/s' },
          limit: { what: 'pgbench, a plain function that writes the same rows', value: plain, unit: 'tx/s' },
          judged: shareOf(order, plain, 0.6),
        },
      ];
    }),
};
