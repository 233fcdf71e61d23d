import { type Bench, signedGet } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Row, timesOf } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import { noFilters } from './export-pages.ts';
import type { Scenario } from './scenario.ts';

type Sized = Exclude<keyof typeof tokens, 'thousand'>;
export type Read = string | ((tokenId: number) => string);

/** Which other holder the large one is compared with. */
export interface Comparison {
  readonly id: string;
  readonly other: Exclude<Sized, 'large'>;
  readonly limit: string;
  readonly atMost: number;
}

/** The reads of a storefront. Charts and far pages have scenarios of their own. */
export const reads: readonly Read[] = [
  '/dapp/orders',
  (tokenId) => `/dapp/orders/${idOf('order', tokenId, 50)}`,
  (tokenId) => `/dapp/orders/${idOf('order', tokenId, 50)}/history`,
  (tokenId) => `/dapp/orders/${idOf('order', tokenId, 50)}/invoice`,
  `/orders/export?${noFilters}&page=1&take=10`,
  '/dapp/orders/summary',
  '/dapp/clients',
  (tokenId) => `/dapp/clients/${idOf('client', tokenId, 5)}`,
  '/dapp/clients/summary',
  '/dapp/carts',
  (tokenId) => `/dapp/carts/${idOf('client', tokenId, 5)}`,
  '/dapp/sales',
  '/dapp/sales/summary',
];

/** The same with a filter, which has an index of its own. */
const filteredReads: readonly [read: Read, condition: string][] = [
  ['/dapp/orders?externalReference=shop-4711', 'a reference'],
  ['/dapp/orders?refundDue=true', 'a refund due'],
  ['/dapp/clients?email=ada5%40example.com', 'an e-mail address'],
  ['/dapp/clients?externalReference=crm-4711', 'a reference'],
];

/** Reads of a holder with many orders should be as fast as those of a holder with 100. */
export const growth: Scenario = {
  name: 'growth',
  measure: async (bench) => {
    const rows: Row[] = [];
    const hundred: Comparison = {
      id: 'growth',
      other: 'hundred',
      limit: 'the same with 100 orders',
      atMost: 1.2,
    };
    for (const read of reads) rows.push(await compareRead(bench, read, hundred));
    for (const [read, condition] of filteredReads)
      rows.push(await compareRead(bench, read, hundred, condition));
    return rows;
  },
};

/** Compares the rate of a read for the large holder with the rate for another one. */
export async function compareRead(
  { service, signers, sizes, registerRequests, measureRate }: Bench,
  read: Read,
  { id, other, limit, atMost }: Comparison,
  /** What the query of the read asks for. */
  condition = '',
): Promise<Row> {
  const addressOf = (sized: Sized) => (typeof read === 'string' ? read : read(tokens[sized]));
  const listOf = (sized: Sized) =>
    registerRequests(Array(100).fill(signedGet(signers[sized], addressOf(sized))));
  const lists = { large: listOf('large'), other: listOf(other) };
  const every = (seconds: number) => {
    const rate = (list: keyof typeof lists) => () =>
      measureRate(service.baseUrl, lists[list], { until: { seconds } });
    return { large: rate('large'), other: rate('other') };
  };
  const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
  const [path = ''] = addressOf('large').split('?');
  const shown = `${path.replace(/[0-9a-f-]{36}/, '{id}')}${condition && ` with ${condition}`}`;
  return {
    id: `${id} ${shown}`,
    what: `GET ${shown}, ${sizes.orders.toLocaleString('en-US')} orders`,
    figure: { value: rates.large, unit: 'req/s' },
    limit: { what: limit, value: rates.other, unit: 'req/s' },
    judged: timesOf(rates.large, rates.other, atMost),
  };
}
