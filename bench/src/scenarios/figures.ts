import { signedGet } from '../bench.ts';
import { measureInTurn } from '../measure/in-turn.ts';
import { type Row, timesOf } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

/** What is reckoned from all orders: of the large holder against one with a thousand. */
export const figures: Scenario = {
  name: 'figures',
  measure: async (bench) => {
    const { service, signers, sizes } = bench;
    const rows: Row[] = [];
    for (const path of ['/dapp/orders/chart-data', '/clients/status-breakdown', '/dapp/orders/summary']) {
      const large = bench.handOver(Array(100).fill(signedGet(signers.large, path)));
      const thousand = bench.handOver(Array(100).fill(signedGet(signers.thousand, path)));
      const every = (seconds: number) => ({
        large: () => bench.rateOf(service.baseUrl, large, { until: { seconds } }),
        thousand: () => bench.rateOf(service.baseUrl, thousand, { until: { seconds } }),
      });
      const rates = await measureInTurn(every(sizes.runSeconds), every(sizes.warmUpSeconds));
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
