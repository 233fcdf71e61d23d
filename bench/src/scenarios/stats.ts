import { signedGet } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Row, timesOf } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

/** Statistics over all orders: the large holder compared with a holder of 1,000 orders. */
export const stats: Scenario = {
  name: 'stats',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const rows: Row[] = [];
    for (const path of ['/dapp/orders/chart-data', '/clients/status-breakdown', '/dapp/orders/summary']) {
      const large = bench.registerRequests(Array(100).fill(signedGet(signers.large, path)));
      const thousand = bench.registerRequests(Array(100).fill(signedGet(signers.thousand, path)));
      const every = (seconds: number) => ({
        large: () => bench.measureRate(service.baseUrl, large, { until: { seconds } }),
        thousand: () => bench.measureRate(service.baseUrl, thousand, { until: { seconds } }),
      });
      const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
      rows.push({
        id: path,
        what: `GET ${path}, ${sizes.orders.toLocaleString('en-US')} orders`,
        figure: { value: rates.large, unit: 'req/s' },
        limit: { what: 'the same with 1,000 orders', value: rates.thousand, unit: 'req/s' },
        judged: timesOf(rates.large, rates.thousand, 3),
      });
    }
    return rows;
  },
};
