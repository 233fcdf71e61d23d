import { type Order, type OrderPage, orderStatuses, paymentStatuses } from '@keyfront/protocol';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compactOrderCounters } from '../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { openQuietStorefront } from './support/quiet-storefront.ts';
import { readCsv } from './support/read-csv.ts';
import { scaled } from './support/scale.ts';
import { dataOf, type TestCaller } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';

// The administrator exports the orders of every digital key. Those of other tests have names that only their tests expect.
const { service, holder, stranger, admin, sql } = await openQuietStorefront();

const seed = Number(process.env.EXPORT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const approvals = ['PENDING', 'VERIFIED', 'REJECTED'] as const;
const names = [
  'Ada',
  'ada',
  'Zoë',
  '=1+1',
  '+49',
  '-5',
  '@home',
  '"Quote"',
  'a,b',
  'A_b',
  '50%',
  'back\\slash',
  "O'Hara",
];
const days = ['2027-12-31', '2028-01-01', '2028-02-28', '2028-02-29', '2028-03-01', '2028-12-31'];
const times = ['00:00:00.000', '00:00:00.001', '12:30:15.250', '23:59:59.999'];

const pickFrom = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

const arbitraryOrder = fc.record({
  client: fc.nat({ max: 19 }),
  invoice: fc.string({ unit: fc.constantFrom(...'AB7_%'), minLength: 1, maxLength: 4 }),
  createdAt: fc.tuple(pickFrom(days), pickFrom(times)).map(([day, time]) => `${day}T${time}Z`),
  updatedAt: fc.tuple(pickFrom(days), pickFrom(times)).map(([day, time]) => `${day}T${time}Z`),
  orderStatus: pickFrom(orderStatuses),
  paymentStatus: pickFrom(paymentStatuses),
  adminApproval: pickFrom(approvals),
  amount: pickFrom([0, 9.99, 10, 10, 100, 12_345_678.9]),
});

interface Query {
  readonly orderBy: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly search: string;
  readonly searchBy: string;
  readonly status: string;
  readonly paymentStatus: string;
  readonly adminApproval: string;
}

const fields = ['createdAt', 'updatedAt', 'totalAmount', 'invoiceNumber'] as const;
const orders = ['', 'asc', 'desc', ...fields.flatMap((field) => [field, `${field}:asc`, `${field}:desc`])];
const moment = fc.oneof(
  fc.constant(''),
  pickFrom(days),
  fc.tuple(pickFrom(days), pickFrom(times)).map(([day, time]) => `${day}T${time}Z`),
);
/** Most of the time nothing, so that filters do not leave everything out together. */
const seldom = (values: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant('') }, pickFrom(values));

const arbitraryQuery: fc.Arbitrary<Query> = fc
  .record({
    orderBy: pickFrom(orders),
    startDate: moment,
    endDate: moment,
    search: seldom([...names, 'a', 'EXAMPLE', 'ada ex', '_', '%', '\\', 'KF-', 'b7', 'nobody', '@example']),
    searchBy: seldom(['clientName', 'email', 'invoiceNumber']),
    status: seldom(orderStatuses),
    paymentStatus: seldom(paymentStatuses),
    adminApproval: seldom(approvals),
  })
  .filter(({ startDate, endDate }) => !startDate || !endDate || firstOf(startDate) <= lastOf(endDate));

const firstOf = (text: string) => (text.length === 10 ? `${text}T00:00:00.000Z` : text);
const lastOf = (text: string) => (text.length === 10 ? `${text}T23:59:59.999Z` : text);

let everything: Order[] = [];

beforeAll(async () => {
  console.log(`EXPORT_TEST_SEED=${seed}`);
  for (const { tokenId } of [holder, stranger]) {
    const clients: string[] = [];
    for (let count = 0; count < 20; count++) {
      const firstName = names[count % names.length] ?? '';
      const lastName = count % 2 === 0 ? 'Example' : (names[(count * 5) % names.length] ?? '');
      clients.push((await insertClient(sql, tokenId, { firstName, lastName })).id);
    }
    const sample = fc.sample(arbitraryOrder, { seed: seed + tokenId, numRuns: 150 });
    for (const [index, order] of sample.entries()) {
      await sql(
        `INSERT INTO orders (token_id, client_id, invoice_number, order_status, payment_status, admin_approval,
           total_amount, total_quantity, currency, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 'EUR', $8, $9)`,
        [
          tokenId,
          clients[order.client],
          `${order.invoice}-${tokenId}-${index}`,
          order.orderStatus,
          order.paymentStatus,
          order.adminApproval,
          order.amount,
          order.createdAt,
          order.updatedAt,
        ],
      );
      // Some counters are compacted, others are not.
      if (index === 100) await compactOrderCounters(service.database, new AbortController().signal);
    }
  }
  const rows = await sql<{ order: Order }>(
    `SELECT json_build_object('id', orders.id, 'invoiceNumber', invoice_number, 'orderStatus', order_status,
       'status', order_status, 'paymentStatus', payment_status, 'adminApproval', orders.admin_approval, 'totalAmount', total_amount,
       'subTotal', total_amount - delivery_charge, 'deliveryCharge', delivery_charge,
       'totalQuantity', total_quantity, 'currency', currency,
       'createdAt', to_char(orders.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'updatedAt', to_char(orders.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'taxRate', tax_rate, 'taxAmount', tax_amount, 'paidAmount', paid_amount, 'refundedAmount', refunded_amount,
       'refundDue', refund_due, 'externalReference', orders.external_reference, 'metadata', orders.metadata,
       'client', json_build_object('id', clients.id, 'firstName', first_name, 'lastName', last_name, 'email', email),
       'nft', json_build_object('tokenId', orders.token_id)) AS order
     FROM orders JOIN clients ON clients.id = client_id`,
  );
  everything = rows.map(({ order }) => order);
});

/** What the export should be, as plainly as it can be said. */
function expected(query: Query, tokenId: number | null): Order[] {
  const wanted = query.search.toLowerCase();
  const matchesSearch = ({ client, invoiceNumber }: Order) => {
    const texts = {
      clientName: `${client.firstName} ${client.lastName}`,
      email: client.email,
      invoiceNumber,
    };
    return Object.entries(texts).some(
      ([by, text]) => (!query.searchBy || by === query.searchBy) && text.toLowerCase().includes(wanted),
    );
  };
  const [first = '', second] = query.orderBy.split(':');
  const field = fields.find((name) => name === first) ?? 'createdAt';
  const isDescending = (second ?? (first === '' ? 'desc' : first)) === 'desc';
  const compare = (one: Order, other: Order) => {
    if (field === 'totalAmount' && one[field] !== other[field]) return one[field] - other[field];
    if (one[field] !== other[field]) return compareTexts(String(one[field]), String(other[field]));
    return one.id < other.id ? -1 : 1;
  };
  return everything
    .filter(({ nft }) => tokenId === null || nft.tokenId === tokenId)
    .filter(({ createdAt }) => !query.startDate || createdAt >= firstOf(query.startDate))
    .filter(({ createdAt }) => !query.endDate || createdAt <= lastOf(query.endDate))
    .filter(({ orderStatus }) => !query.status || orderStatus === query.status)
    .filter(({ paymentStatus }) => !query.paymentStatus || paymentStatus === query.paymentStatus)
    .filter(({ adminApproval }) => !query.adminApproval || adminApproval === query.adminApproval)
    .filter((order) => !query.search || matchesSearch(order))
    .sort((one, other) => (isDescending ? -compare(one, other) : compare(one, other)));
}

/** As the database of the tests compares texts. */
const compareTexts = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

const address = (query: object) =>
  `/orders/export?${new URLSearchParams(query as Record<string, string>).toString()}`;

async function walkPages(caller: TestCaller, query: Query, take: number): Promise<OrderPage[]> {
  const pages: OrderPage[] = [];
  for (let page = 1; ; page++) {
    const answer = dataOf<OrderPage>(await caller.ask('GET', address({ ...query, page, take })));
    pages.push(answer);
    if (!answer.pageMetaDto.hasNextPage) return pages;
  }
}

async function walkByCursor(caller: TestCaller, query: Query, take: number): Promise<Order[]> {
  const orders: Order[] = [];
  let cursor: string | null = null;
  do {
    const next: OrderPage = dataOf<OrderPage>(
      await caller.ask('GET', address({ ...query, take, ...(cursor === null ? {} : { cursor }) })),
    );
    orders.push(...next.orders);
    cursor = next.pageMetaDto.nextCursor;
  } while (cursor !== null);
  return orders;
}

const asCells = (order: Order): string[] =>
  [
    order.id,
    order.invoiceNumber,
    order.orderStatus,
    order.paymentStatus,
    order.adminApproval,
    order.totalAmount.toFixed(2),
    String(order.totalQuantity),
    order.currency,
    order.createdAt,
    order.updatedAt,
    order.client.id,
    order.client.firstName,
    order.client.lastName,
    order.client.email,
    String(order.nft.tokenId),
  ].map((cell) => (/^[=+\-@]/.test(cell) ? `'${cell}` : cell));

describe('GET /orders/export', () => {
  it('returns the same orders as a plain query, by page, by cursor and as CSV', async () => {
    const callers = [
      { caller: holder, tokenId: holder.tokenId },
      { caller: stranger.signedIn, tokenId: stranger.tokenId },
      { caller: admin, tokenId: null },
    ];
    await fc.assert(
      fc.asyncProperty(
        arbitraryQuery,
        pickFrom(callers),
        fc.integer({ min: 7, max: 60 }),
        async (query, { caller, tokenId }, take) => {
          const wanted = expected(query, tokenId);
          const pages = await walkPages(caller, query, take);
          expect(pages.flatMap(({ orders }) => orders)).toEqual(wanted);
          for (const { pageMetaDto } of pages) expect(pageMetaDto.itemCount).toBe(wanted.length);
          expect(await walkByCursor(caller, query, take)).toEqual(wanted);
          const csv = await caller.ask('GET', address(query), { headers: { accept: 'text/csv' } });
          expect(csv.status).toBe(200);
          expect(readCsv(csv.text).slice(1)).toEqual(wanted.map(asCells));
        },
      ),
      { seed, numRuns: scaled(20) },
    );
  });
});
