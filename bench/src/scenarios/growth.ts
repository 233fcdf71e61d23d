import { type Bench, signedGet } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Row, timesOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import { noFilters } from './export-pages.ts';
import type { Scenario } from './scenario.ts';

type Sized = 'large' | 'hundred';

/** The reads of a storefront. Charts and far pages have scenarios of their own. */
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

/** Reads of a holder with many orders should be as fast as those of a holder with 100. */
export const growth: Scenario = {
  name: 'growth',
  measure: async (bench) => {
    const rows: Row[] = [];
    for (const read of reads) rows.push(await measureRead(bench, read));
    return rows;
  },
};

async function measureRead(
  { service, signers, sizes, registerRequests, measureRate }: Bench,
  read: (typeof reads)[number],
): Promise<Row> {
  const addressOf = (sized: Sized) => (typeof read === 'string' ? read : read(tokens[sized]));
  const listOf = (sized: Sized) =>
    registerRequests(Array(100).fill(signedGet(signers[sized], addressOf(sized))));
  const lists = { large: listOf('large'), hundred: listOf('hundred') };
  const every = (seconds: number) => {
    const rate = (sized: Sized) => () => measureRate(service.baseUrl, lists[sized], { until: { seconds } });
    return { large: rate('large'), hundred: rate('hundred') };
  };
  const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
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
