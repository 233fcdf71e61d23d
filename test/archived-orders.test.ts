import { gunzipSync } from 'node:zlib';
import { createS3Store } from '@keyfront/file-store';
import { DatabaseUnavailable } from '@keyfront/postgres';
import type {
  AdminHolderPage,
  Checkout,
  Client,
  CreatedOrder,
  DashboardSummary,
  OrderChart,
  OrderPage,
  OrderSummary,
  SaleSummary,
  Shipment,
} from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactCounters } from '../packages/server/src/database/queries/counters.ts';
import {
  findCheckoutData,
  insertOrder as placeRow,
} from '../packages/server/src/resources/orders/checkout/checkout-queries.ts';
import { compactOrderCounters } from '../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { startS3 } from './support/fake-s3.ts';
import { askForCsv, exportCsv, openArchiving } from './support/order-archives.ts';
import { insertOrder } from './support/order-data.ts';
import { dataOf, issuesOf, type TestCaller, type TestHolder } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';

const shop = await openArchiving();
const { holder, sibling, stranger, admin, service, sql, archive, archiveStore, readArchivedText } = shop;
afterAll(() => service.close());

const read = async <Data>(caller: TestCaller, path: string) => dataOf<Data>(await caller.ask('GET', path));
const years = 'startDate=2024-01-01&endDate=2026-12-31&interval=month';

/** What statistics say, which must not change. */
const readStatistics = async ({ tokenId, ...caller }: TestHolder) => ({
  orders: await read<OrderSummary>(caller, '/dapp/orders/summary'),
  sales: await read<SaleSummary>(caller, '/dapp/sales/summary'),
  dashboard: await read<DashboardSummary>(caller, '/dapp/dashboard/summary'),
  chart: await read<OrderChart>(caller, `/dapp/orders/chart-data?${years}`),
});
const listOrders = (caller: TestCaller, query = '') =>
  read<OrderPage>(caller, `/dapp/orders?take=100&${query}`);

interface FullOrder {
  readonly id: string;
  readonly rejectedId: string;
  readonly clientId: string;
}

/** An order that has lived through everything: paid, sent in two parcels, partly refunded, delivered. */
async function placeFullOrder(caller: TestHolder, reference: string): Promise<FullOrder> {
  const { id: clientId } = await insertClient(sql, caller.tokenId, { firstName: '=Zoë, "the"\r\nfirst' });
  const { id: strainId } = await insertStrain(sql, { price: 12.5 });
  const body = {
    clientId,
    items: [{ strainId, quantity: 3 }],
    note: 'A note of the customer',
    metadata: { colour: 'A text of the storefront' },
    externalReference: reference,
  };
  const { id, orderLines } = dataOf<CreatedOrder>(await caller.ask('POST', '/dapp/orders', { body }));
  dataOf<Checkout>(await caller.ask('POST', '/payments/checkout', { body: { orderId: id } }));
  dataOf(await caller.ask('POST', `/payments/checkout/${id}/cancel`));
  const change = async (fields: object) =>
    dataOf(await admin.ask('PATCH', `/admin/orders/${id}`, { body: fields }));
  await change({ adminApproval: 'VERIFIED', paymentStatus: 'PAID' });
  for (const quantity of [1, 2]) {
    const parcel = {
      carrier: 'DHL',
      trackingNumber: 'A tracking number',
      orderLines: [{ id: orderLines[0]?.id, quantity }],
    };
    dataOf<Shipment>(await admin.ask('POST', `/admin/orders/${id}/shipments`, { body: parcel }));
  }
  const refund = { reason: 'A reason of a refund', amount: 5 };
  dataOf(await admin.ask('POST', `/admin/orders/${id}/refunds`, { body: refund }));
  await change({ orderStatus: 'DELIVERED' });
  const second = dataOf<CreatedOrder>(
    await caller.ask('POST', '/dapp/orders', { body: { clientId, items: body.items } }),
  );
  const rejection = { adminApproval: 'REJECTED', rejectionNote: 'A note of an administrator' };
  dataOf(await admin.ask('PATCH', `/admin/orders/${second.id}`, { body: rejection }));
  return { id, rejectedId: second.id, clientId };
}

/** The texts of the order in whatever contains it. */
const personalTexts = [
  'A note of the customer',
  'A text of the storefront',
  'A note of an administrator',
  'A tracking number',
  'A reason of a refund',
];

describe('archived orders', () => {
  let full: FullOrder;
  let stays: string;
  beforeAll(async () => {
    for (const [at, caller] of [holder, sibling, stranger].entries()) {
      const { id: clientId } = await insertClient(sql, caller.tokenId, {
        firstName: 'Ada',
        email: `a${at}@example.org`,
      });
      for (const [number, orderStatus] of (
        ['DELIVERED', 'CANCELLED', 'PENDING', 'SHIPPED', 'DELIVERED'] as const
      ).entries())
        for (const month of ['2024-02', '2024-03', '2025-06'])
          await insertOrder(sql, caller.tokenId, clientId, {
            orderStatus,
            totalAmount: 10.5 * (number + 1),
            currency: number === 4 ? 'USD' : 'EUR',
            // Some at the same time, in both digital keys.
            createdAt: `${month}-0${1 + (number % 3)}T10:00:00.12${at === 2 ? 5 : 0}Z`,
          });
    }
    full = await placeFullOrder(holder, 'reference-1');
    await shop.makeOld([full.id, full.rejectedId], '2024-03-15T00:00:00Z');
    // A link to pay that is still open, which alone keeps it.
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    stays = await insertOrder(sql, holder.tokenId, clientId, {
      orderStatus: 'CANCELLED',
      createdAt: '2024-02-10T00:00:00Z',
    });
    await sql(`INSERT INTO payment_checkouts (order_id, token_id, expires_at) VALUES ($1, $2, now())`, [
      stays,
      holder.tokenId,
    ]);
  });

  it('leave lists and stay in statistics and in the export, byte by byte', async () => {
    const queries = [
      {},
      { orderBy: 'asc' },
      { status: 'DELIVERED' },
      { orderBy: 'asc', startDate: '2024-03-01', endDate: '2024-03-31' },
      { startDate: '2024-02-01T10:00:00.120Z', endDate: '2024-03-02T10:00:00.120Z' },
      { search: 'zoë' },
      { search: 'a1@example', orderBy: 'asc' },
      { search: 'KF-', searchBy: 'invoiceNumber' },
      { adminApproval: 'PENDING', orderBy: 'asc' },
      { status: 'CANCELLED', search: 'nobody' },
    ];
    // One at a time: a caller may have few exports at once.
    const exportAll = async () => {
      const files: string[] = [];
      for (const caller of [holder, sibling, stranger, admin])
        for (const query of queries) files.push(await exportCsv(caller, query));
      return files;
    };
    const before = await exportAll();
    const statistics = await Promise.all([holder, sibling, stranger].map(readStatistics));
    const countOrders = async () =>
      (await read<AdminHolderPage>(admin, '/admin/holders')).holders.map(({ id, counts }) => [
        id,
        counts?.orders,
      ]);
    const holders = await countOrders();
    const listedBefore = await listOrders(holder);
    expect(await archive({ isDryRun: true })).toEqual([
      '2024-02: would archive up to 10 orders of 3 digital keys',
      '2024-03: would archive up to 11 orders of 3 digital keys',
    ]);
    expect(await exportAll()).toEqual(before);

    expect(await archive()).toEqual([
      '2024-02: 9 orders archived to 3 files, 1 not at rest',
      '2024-03: 11 orders archived to 3 files',
    ]);
    expect(await exportAll()).toEqual(before);
    expect(await Promise.all([holder, sibling, stranger].map(readStatistics))).toEqual(statistics);
    expect(await countOrders()).toEqual(holders);
    expect(await shop.findWrongCounters()).toEqual([]);
    await compactOrderCounters(service.database, new AbortController().signal);
    await compactCounters(service.database, new AbortController().signal);
    expect(await Promise.all([holder, sibling, stranger].map(readStatistics))).toEqual(statistics);
    expect(await shop.findWrongCounters()).toEqual([]);

    const isArchived = ({ createdAt, orderStatus, id }: OrderPage['orders'][number]) =>
      createdAt < '2025' && ['DELIVERED', 'CANCELLED'].includes(orderStatus) && id !== stays;
    const kept = listedBefore.orders.filter((order) => !isArchived(order));
    const listed = await listOrders(holder);
    expect(listed.orders).toEqual(kept);
    expect([listed.pageMetaDto.itemCount, listedBefore.pageMetaDto.itemCount]).toEqual([10, 18]);
    for (const query of ['status=DELIVERED', 'startDate=2024-02-01&endDate=2024-02-29', 'page=2']) {
      const page = await listOrders(holder, query);
      const whole = kept.filter(({ orderStatus, createdAt }) =>
        query.startsWith('status')
          ? orderStatus === 'DELIVERED'
          : !query.startsWith('start') || createdAt < '2024-03',
      );
      expect([query, page.pageMetaDto.itemCount]).toEqual([query, whole.length]);
    }
    expect((await holder.ask('GET', `/dapp/orders/${full.id}`)).status).toBe(404);
    expect((await stranger.ask('GET', `/dapp/orders/${full.id}`)).status).toBe(404);
    expect((await admin.ask('GET', `/admin/orders/${full.id}`)).status).toBe(404);
    expect((await holder.ask('GET', `/dapp/orders/${full.id}/history`)).status).toBe(404);
    // Nothing of them is left in the tables.
    for (const table of [
      'order_lines',
      'order_history',
      'shipments',
      'refunds',
      'payment_checkouts',
      'sales',
    ])
      expect([table, await sql(`SELECT FROM ${table} WHERE order_id = $1`, [full.id])]).toEqual([table, []]);
    expect(await archive()).toEqual(['2024-02: 0 orders archived to 0 files, 1 not at rest']);
  });

  it('are with everything that belongs to them in a file of their digital key', async () => {
    const text = await readArchivedText();
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const line = lines.find(({ order }) => order.id === full.id);
    expect(line).toMatchObject({
      order: { note: 'A note of the customer', refunded_amount: 5, external_reference: 'reference-1' },
      lines: [{ line_number: 1, quantity: 3, shipped_quantity: 3 }],
      shipments: [{ tracking_number: 'A tracking number' }, {}],
      refunds: [{ amount: 5 }],
      sale: { stage: 'CLOSED' },
    });
    expect(line.history.length).toBeGreaterThan(3);
    expect(line.checkouts.map(({ status }: { status: string }) => status)).toContain('PAID');
    expect(line.saleHistory.length).toBeGreaterThan(1);
    for (const { tokenId, fileName, orders } of await shop.listRecords()) {
      expect(fileName).toMatch(new RegExp(`^${tokenId}/2024-0[23]/[0-9a-f-]{36}\\.jsonl\\.gz$`));
      const content = gunzipSync((await archiveStore.find(fileName)) ?? Buffer.alloc(0)).toString();
      const ofFile = content
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each).order);
      expect(ofFile.map(({ token_id }) => token_id)).toEqual(Array(orders).fill(tokenId));
      const places = ofFile.map(({ created_at, id }) => `${created_at} ${id}`);
      expect(places).toEqual(places.toSorted());
    }
  });

  it('cannot be sorted by anything else than their creation, which a 400 says with what to do', async () => {
    for (const orderBy of ['totalAmount:desc', 'updatedAt', 'invoiceNumber:asc']) {
      expect(issuesOf(await askForCsv(holder, { orderBy }))).toEqual([
        'orderBy must be asc or desc, because the range contains archived orders. For another order, choose a startDate after ' +
          '2024-03-15T00:00:00.000Z',
      ]);
      // Without archived orders in the range, and for a state that none of them is in.
      await exportCsv(holder, { orderBy, startDate: '2024-03-15T00:00:00.001Z' });
      await exportCsv(holder, { orderBy, status: 'PENDING' });
    }
    await exportCsv(holder, { orderBy: 'createdAt:desc' });
  });

  it('keep their invoice numbers, which no other order gets', async () => {
    const [{ number } = { number: '' }] = await sql<{ number: string }>(
      'SELECT invoice_number AS number FROM archived_invoice_numbers LIMIT 1',
    );
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: strainId } = await insertStrain(sql);
    const scope = { role: 'holder', ...holder } as const;
    const place = (invoiceNumber: string) =>
      service.database.transaction(scope, async (tx) => {
        const found = await findCheckoutData(tx, scope, clientId, null, '', new Map([[strainId, 1]]));
        if (!found) throw new Error('There is no such client');
        placeRow(tx, scope, {
          ...{
            id: found.orderId,
            clientId,
            invoiceNumber,
            totalAmount: '10.00',
            deliveryCharge: '0.00',
            taxRate: 0,
          },
          ...{
            taxAmount: '0.00',
            totalQuantity: 1,
            currency: 'EUR',
            note: null,
            externalReference: '',
            metadata: {},
          },
          ...{
            shipping: found.client.shipping,
            items: found.items.map((item) => ({ ...item, quantity: 1 })),
            cartId: null,
          },
        } as Parameters<typeof placeRow>[2]);
      });
    await expect(place(number)).rejects.toThrow(DatabaseUnavailable);
    await place('KF-FREE');
  });

  it('lose what an erasure removes, and their client keeps the name on the invoices', async () => {
    expect(personalTexts.filter((text) => !JSON.stringify(text).includes(text))).toEqual([]);
    const before = await readArchivedText();
    for (const text of personalTexts) expect(before).toContain(text);
    const files = await shop.listRecords();
    const csv = await exportCsv(holder, { orderBy: 'asc' });
    dataOf(await holder.ask('DELETE', `/dapp/clients/${full.clientId}?erase=true`));
    const text = await readArchivedText();
    for (const each of personalTexts) expect(text).not.toContain(each);
    expect(text.length).toBeGreaterThan(before.length - 1_000);
    const [client] = await sql<{ first_name: string; email: string }>('SELECT * FROM clients WHERE id = $1', [
      full.clientId,
    ]);
    expect(client?.first_name).toBe('=Zoë, "the"\r\nfirst');
    const audited = await sql<{ content: string }>(
      'SELECT coalesce(before::text, $2) || after::text AS content FROM audit WHERE subject_id = $1',
      [full.id, ''],
    );
    expect(audited.length).toBeGreaterThan(3);
    for (const { content } of audited) expect(content).not.toContain('A note');
    // One file was replaced, and the former one is gone.
    const later = await shop.listRecords();
    const former = files.filter(({ fileName }) => !later.some((each) => each.fileName === fileName));
    expect(former).toHaveLength(1);
    expect(await archiveStore.find(former[0]?.fileName ?? '')).toBeNull();
    expect(await sql('SELECT FROM order_archive_drafts')).toEqual([]);
    const { email = '' } = client ?? {};
    const emailBefore = csv.split('\r\n').find((line) => line.startsWith(full.id));
    expect(emailBefore).toBeDefined();
    const after = await exportCsv(holder, { orderBy: 'asc' });
    expect(after).toContain(email);
    expect(after.split('\r\n')).toHaveLength(csv.split('\r\n').length);
    // Once more changes nothing.
    dataOf(await holder.ask('DELETE', `/dapp/clients/${full.clientId}?erase=true`));
    expect(await shop.listRecords()).toEqual(later);
  });

  it('come to rest later in a further file of the same month', async () => {
    const before = await exportCsv(holder, { orderBy: 'asc' });
    await sql(`UPDATE payment_checkouts SET status = 'EXPIRED' WHERE order_id = $1`, [stays]);
    expect(await archive()).toEqual(['2024-02: 1 order archived to 1 file']);
    expect(await exportCsv(holder, { orderBy: 'asc' })).toBe(before);
    expect((await shop.listRecords()).filter(({ tokenId }) => tokenId === holder.tokenId)).toHaveLength(3);
  });
});

it('archives to a bucket, whose failure is a 503 and loses nothing', async () => {
  const s3 = await startS3();
  const other = await openArchiving(createS3Store(s3.settings, 'orders'));
  try {
    const { id } = await insertClient(other.sql, other.holder.tokenId);
    const orders: string[] = [];
    for (const day of ['01', '02', '03'])
      orders.push(
        await insertOrder(other.sql, other.holder.tokenId, id, {
          orderStatus: 'DELIVERED',
          createdAt: `2024-05-${day}T00:00:00Z`,
        }),
      );
    const before = await exportCsv(other.holder);
    s3.isDown = true;
    await expect(other.archive()).rejects.toThrow('unavailable');
    s3.isDown = false;
    expect(await exportCsv(other.holder)).toBe(before);
    expect(await other.archive()).toEqual(['2024-05: 3 orders archived to 1 file']);
    expect(await exportCsv(other.holder)).toBe(before);
    expect([...s3.objects.keys()]).toEqual([
      expect.stringMatching(new RegExp(`^/shop-images/orders/${other.holder.tokenId}/2024-05/`)),
    ]);
    s3.isDown = true;
    expect((await askForCsv(other.holder)).status).toBe(503);
    const erase = `/dapp/clients/${id}?erase=true`;
    expect((await other.holder.ask('DELETE', erase)).status).toBe(503);
    s3.isDown = false;
    dataOf<Client>(await other.holder.ask('DELETE', erase));
    await exportCsv(other.holder);
  } finally {
    await other.service.close();
    s3.close();
  }
});
