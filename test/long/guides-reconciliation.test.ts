import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventPage, OrderWithLines } from '@keyfront/protocol';
import { afterAll, expect, it } from 'vitest';
import { readDocument, readPrograms, readTables, runProgram } from '../support/guide-programs.ts';
import { dataOf, openStorefront } from '../support/storefront.ts';
import { insertClient, insertStrain } from '../support/storefront-data.ts';

const guide = readDocument('docs/guides/reconciliation.md');
const { service, holder, admin, sql } = await openStorefront();
const folder = mkdtempSync(join(tmpdir(), 'keyfront-reconciliation-'));
symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
writeFileSync(join(folder, 'reconcile.mjs'), readPrograms(guide, 'The program', 'js')[0]);
afterAll(() => rmSync(folder, { recursive: true }));

const { id: clientId } = await insertClient(sql, holder.tokenId);
const { id: strainId } = await insertStrain(sql, { price: 10, stock: 1000 });
const stateFile = join(folder, 'reconciliation.json');

const place = async (externalReference: string) =>
  dataOf<OrderWithLines>(
    await holder.ask('POST', '/dapp/orders', {
      body: { clientId, items: [{ strainId, quantity: 3 }], externalReference },
    }),
  );
const change = async ({ id }: { id: string }, body: object) =>
  dataOf<OrderWithLines>(await admin.ask('PATCH', `/admin/orders/${id}`, { body }));

/** A row of the shop's table that agrees with an order. */
const rowOf = (order: OrderWithLines) => ({
  reference: order.externalReference,
  status: order.orderStatus,
  payment: order.paymentStatus,
  total: order.totalAmount.toFixed(2),
  paid: order.paidAmount.toFixed(2),
  refunded: order.refundedAmount.toFixed(2),
  currency: order.currency,
  updatedAt: order.updatedAt,
});

/** Runs the program of the guide with this table, and returns what it prints. */
async function reconcile(
  rows: readonly object[],
  variables: Readonly<Record<string, string>> = { GRACE_MINUTES: '0' },
): Promise<string[]> {
  writeFileSync(join(folder, 'shop-orders.json'), JSON.stringify(rows));
  const secretKey = holder.secretKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const { code, stdout, stderr } = await runProgram(process.execPath, ['reconcile.mjs'], folder, {
    KEYFRONT_URL: service.origin,
    KEYFRONT_API_KEY: holder.apiKey,
    KEYFRONT_SECRET_KEY: secretKey,
    ...variables,
  });
  const lines = stdout.split('\n').slice(0, -1);
  expect([code, stderr]).toEqual([lines.length > 0 ? 1 : 0, '']);
  return lines.sort();
}

it('finds exactly the differences, run by run', { timeout: 120_000 }, async () => {
  const equal = await place('shop-1');
  const elsewhere = await place('');
  await place('shop-3');
  const cancelled = await place('shop-4');
  const other = await place('shop-5');
  const paid = await place('shop-6');
  const late = await place('shop-7');
  const refunded = await change(await place('shop-8'), { paymentStatus: 'PAID' });
  const rows = [
    rowOf(equal),
    { ...rowOf(equal), reference: 'shop-2' },
    rowOf(cancelled),
    { ...rowOf(other), total: '29.99' },
    rowOf(paid),
    rowOf(refunded),
  ];
  await change(cancelled, { orderStatus: 'CANCELLED' });
  await change(paid, { paymentStatus: 'PAID' });
  await change(late, { orderStatus: 'CANCELLED' });
  const latePaid = await change(late, { paymentStatus: 'PAID' });
  const refund = { amount: 2.5, reason: 'Broken' };
  dataOf(await admin.ask('POST', `/admin/orders/${refunded.id}/refunds`, { body: refund }));

  const due = `shop-7: refund due ${latePaid.refundDue.toFixed(2)} EUR`;
  const expected = [
    `${elsewhere.invoiceNumber}, without a reference: only in Keyfront`,
    'shop-2: only in the shop',
    'shop-3: only in Keyfront',
    'shop-4: status PENDING, in Keyfront CANCELLED',
    `shop-5: total 29.99, in Keyfront ${other.totalAmount.toFixed(2)}`,
    `shop-6: paid 0.00, in Keyfront ${paid.totalAmount.toFixed(2)}`,
    'shop-6: payment PENDING, in Keyfront PAID',
    due,
    'shop-8: refunded 0.00, in Keyfront 2.50',
  ];
  const table = [...rows, rowOf(latePaid)];
  expect(await reconcile(table)).toEqual(expected);
  // A second run finds the same. It goes on with the file of the first, which is shown by an order that is only there.
  const state = JSON.parse(readFileSync(stateFile, 'utf8'));
  state.orders.known = rowOf({ ...equal, externalReference: 'shop-9' });
  writeFileSync(stateFile, JSON.stringify(state));
  expect(await reconcile(table)).toEqual([...expected, 'shop-9: only in Keyfront']);
  // What has just changed waits, and what is older than the references is left out.
  expect(await reconcile(table, {})).toEqual([due]);
  rmSync(stateFile);
  expect(await reconcile([], { GRACE_MINUTES: '0', SINCE: '2999-01-01' })).toEqual([due]);

  // The shop has put everything right. Meanwhile, two orders change.
  rmSync(stateFile);
  const orders = dataOf<{ orders: OrderWithLines[] }>(
    await holder.ask('GET', '/dapp/orders?take=100'),
  ).orders;
  const agreed = orders.filter(({ externalReference }) => externalReference).map(rowOf);
  const unknown = `${elsewhere.invoiceNumber}, without a reference: only in Keyfront`;
  expect(await reconcile(agreed)).toEqual([unknown, due]);
  // Nothing is looked for by a reference that is not there.
  const rowsWithout = [null, '', undefined].map((reference) => ({ ...rowOf(equal), reference }));
  const without = `row of the shop without a reference: total ${equal.totalAmount.toFixed(2)} EUR`;
  expect(await reconcile([...agreed, ...rowsWithout])).toEqual([unknown, without, without, without, due]);
  await change(equal, { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' });
  const renamed = { externalReference: 'shop-50' };
  dataOf(await holder.ask('PATCH', `/dapp/orders/${other.id}`, { body: renamed }));
  expect(await reconcile(agreed)).toEqual([
    unknown,
    'shop-1: status PENDING, in Keyfront SHIPPED',
    'shop-50: only in Keyfront',
    'shop-5: only in the shop',
    due,
  ]);
  const { after } = JSON.parse(readFileSync(stateFile, 'utf8'));
  const { nextAfter } = dataOf<EventPage>(await holder.ask('GET', '/events?orderBy=desc&take=1'));
  expect(after).toBe(nextAfter);
});

it.each([
  ['EVENTS_EXPIRED', '0'],
  ['EVENT_POSITION_UNKNOWN', 'v'],
])('begins again after %s', { timeout: 60_000 }, async (code, digit) => {
  const after = `evt_${digit.repeat(29)}`;
  expect((await holder.ask('GET', `/events?after=${after}`)).envelope).toMatchObject({ code });
  rmSync(stateFile, { force: true });
  const before = await reconcile([]);
  writeFileSync(stateFile, JSON.stringify({ after, orders: {} }));
  expect(await reconcile([])).toEqual(before);
  expect(JSON.parse(readFileSync(stateFile, 'utf8')).after).not.toBe(after);
});

it('explains each kind of difference', () => {
  const [rows = []] = readTables(guide, 'What to do about a difference');
  expect(rows.map(([difference]) => difference)).toEqual([
    ...['only in the shop', 'only in Keyfront', 'status, payment', 'total', 'paid, refunded'],
    ...['without a reference', 'refund due'],
  ]);
});
