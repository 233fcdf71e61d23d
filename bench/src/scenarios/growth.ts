import { type Bench, signedGet } from '../bench.ts';
import { measureInTurn } from '../measure/in-turn.ts';
import { type Row, timesOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import { noFilters } from './export-pages.ts';
import type { Scenario } from './scenario.ts';

type Sized = 'large' | 'hundred';

/** The addresses that a storefront reads from; what a chart or a far page costs is measured by itself. */
const reads: readonly (string | ((tokenId: number) => string))[] = [
  '/dapp/orders',
  (tokenId) => `/dapp/orders/${idOf('order', tokenId, 50)}`,
  (tokenId) => `/dapp/orders/${idOf('order', tokenId, 50)}/history`,
  `/orders/export?${noFilters}&page=1&take=10`,
  '/dapp/orders/summary',
  '/dapp/clients',
  (tokenId) => `/dapp/clients/${idOf('client', tokenId, 5)}`,
  '/dapp/clients/summary',
  '/dapp/carts',
  '/dapp/sales',
  '/dapp/sales/summary',
];

/** A store with many orders should feel like one with a hundred. */
export const growth: Scenario = {
  name: 'growth',
  measure: async (bench) => {
    const rows: Row[] = [];
    for (const read of reads) rows.push(await measureRead(bench, read));
    return rows;
  },
};

async function measureRead(
  { service, signers, sizes, handOver, rateOf }: Bench,
  read: (typeof reads)[number],
): Promise<Row> {
  const addressOf = (sized: Sized) => (typeof read === 'string' ? read : read(tokens[sized]));
  const listOf = (sized: Sized) => handOver(Array(100).fill(signedGet(signers[sized], addressOf(sized))));
  const lists = { large: listOf('large'), hundred: listOf('hundred') };
  const every = (seconds: number) => {
    const rate = (sized: Sized) => () => rateOf(service.baseUrl, lists[sized], { until: { seconds } });
    return { large: rate('large'), hundred: rate('hundred') };
  };
  const rates = await measureInTurn(every(sizes.runSeconds), every(sizes.warmUpSeconds));
  const [path = ''] = addressOf('large').split('?');
  const shown = path.replace(/[0-9a-f-]{36}/, '{id}');
  return {
    id: `growth ${shown}`,
    what: `GET ${shown}, ${sizes.orders.toLocaleString('en-US')} orders`,
    figure: { value: rates.large, unit: 'req/s' },
    limit: { what: 'the same with 100 orders', value: rates.hundred, unit: 'req/s' },
    judged: timesOf(rates.large, rates.hundred, 1.2),
  };
}
