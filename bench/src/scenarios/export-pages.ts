import { type Bench, fetchBody, signedGet } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { shareOf, timesOf } from '../report/row.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

const take = 100;
/** Concurrent clients of the export. */
const connections = 8;

/** A query string with every filter of the export left empty. */
export const noFilters = [
  'search',
  'searchBy',
  'status',
  'paymentStatus',
  'adminApproval',
  'startDate',
  'endDate',
]
  .map((name) => `${name}=`)
  .concat('orderBy=desc')
  .join('&');

const barePage = `
  SELECT orders.id, orders.invoice_number, orders.order_status, orders.payment_status, orders.admin_approval,
    orders.rejection_note, orders.total_amount, orders.total_quantity, orders.currency, orders.created_at,
    orders.updated_at, orders.token_id, clients.id AS client_id, clients.first_name, clients.last_name, clients.email
  FROM (
    SELECT * FROM keyfront.orders WHERE token_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${take}
  ) AS orders JOIN keyfront.clients ON clients.id = orders.client_id
  ORDER BY orders.created_at DESC, orders.id DESC`;

/** Export pages of the large holder: the first, and one in the middle by page number and by cursor. */
export const exportPages: Scenario = {
  name: 'export-pages',
  measure: async (bench) => {
    const { service, signers, sizes, store } = bench;
    const far = sizes.orders / take / 2;
    const address = (start: string) => `/orders/export?${noFilters}&take=${take}&${start}`;
    const cursor = await fetchCursorAfter(bench, address(`page=${far - 1}`));
    const listOf = (start: string) =>
      bench.registerRequests(Array(100).fill(signedGet(signers.large, address(start))));
    const lists = { first: listOf('page=1'), far: listOf(`page=${far}`), cursor: listOf(`cursor=${cursor}`) };
    const every = (seconds: number) => {
      const page = (name: keyof typeof lists) => () =>
        bench.measureRate(service.baseUrl, lists[name], { connections, until: { seconds } });
      const bare = async () => {
        const job = {
          databaseUrl: store.ownerUrl,
          text: barePage,
          values: [tokens.large],
          connections,
          seconds,
        };
        return (await bench.driver.run(job)).rate;
      };
      return { first: page('first'), bare, far: page('far'), cursor: page('cursor') };
    };
    const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
    const first = { what: 'page 1', value: rates.first, unit: 'req/s' };
    const orders = sizes.orders.toLocaleString('en-US');
    return [
      {
        id: 'export page 1',
        what: `GET /orders/export, page 1, take ${take}, of ${orders}`,
        figure: { value: rates.first, unit: 'req/s' },
        limit: { what: 'the bare page query by the driver', value: rates.bare, unit: 'req/s' },
        judged: shareOf(rates.first, rates.bare, 0.85),
      },
      {
        id: 'export far page',
        what: `the same, page ${far.toLocaleString('en-US')}`,
        figure: { value: rates.far, unit: 'req/s' },
        limit: first,
        judged: timesOf(rates.far, rates.first, 3),
      },
      {
        id: 'export cursor',
        what: 'the same place by cursor',
        figure: { value: rates.cursor, unit: 'req/s' },
        limit: first,
        judged: timesOf(rates.cursor, rates.first, 1.2),
      },
    ];
  },
};

async function fetchCursorAfter({ service, signers }: Bench, address: string): Promise<string> {
  const { data } = JSON.parse(await fetchBody(service.baseUrl, signedGet(signers.large, address)));
  return data.pageMetaDto.nextCursor;
}
