import { createHash, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openPayments } from '../../support/payment-data.ts';
import { textOf } from '../../support/printed-text.ts';
import { openShipping } from '../../support/shipped-orders.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const storefront = await openStorefront();
const { holder, sibling, stranger, admin, sql } = storefront;
const { placeOrder } = openShipping(storefront);
const payments = openPayments(storefront);
const invoice = (id: string, caller = holder) => caller.ask('GET', `/dapp/orders/${id}/invoice`);

it('is a page with seller, addresses, lines, delivery, tax, payments and refunds', async () => {
  const order = await placeOrder();
  await sql('UPDATE orders SET tax_rate = 23, tax_amount = 9.90 WHERE id = $1', [order.id]);
  await order.refund({ amount: 2.97 });
  const { status, headers, text } = await invoice(order.id);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const { invoiceNumber, orderLines, client } = order.placed;
  const page = textOf(text);
  for (const part of [
    'Example Botanics',
    `Number ${invoiceNumber}`,
    `${client.firstName} ${client.lastName} ${client.email}`,
    'Ship to Rua do Exemplo 1',
    `${orderLines[0]?.strain.name} 4 €12.50 €50.00`,
    `${orderLines[1]?.strain.name} 3 €0.99 €2.97`,
    'Subtotal €52.97',
    'Delivery €0.00',
    'Total €52.97',
    'Includes tax at 23 % €9.90',
    'Payment €52.97',
    'Refund −€2.97',
  ]) {
    expect(page).toContain(part);
  }
  expect(page).not.toContain('due');
});

it('has the day on which a payment arrived, not that of its link', async () => {
  const order = await placeOrder(null);
  const { payUrl } = await payments.openCheckout(order.id);
  await sql(`UPDATE payment_checkouts SET created_at = now() - interval '3 days' WHERE order_id = $1`, [
    order.id,
  ]);
  dataOf(await payments.report(payUrl, 'PAID', { amount: 52.97 }));
  const [payment] = (await order.read()).payments;
  expect(Date.parse(payment?.paidAt ?? '') - Date.parse(payment?.createdAt ?? '')).toBeGreaterThan(
    2 * 86_400_000,
  );
  expect((await invoice(order.id)).text).toContain(`<time datetime="${payment?.paidAt}">`);
  expect((await invoice(order.id)).text).not.toContain(`${payment?.createdAt}`);
});

it('says what is due, and that an order was cancelled', async () => {
  const open = await placeOrder(null);
  expect(textOf((await invoice(open.id)).text)).toContain('No payment has been received. Amount due: €52.97');
  const cancelled = await placeOrder();
  await cancelled.change({ orderStatus: 'CANCELLED' });
  const page = textOf((await invoice(cancelled.id)).text);
  expect(page).toContain('This order was cancelled.');
  expect(page).toContain('To be refunded: €52.97');
});

it('contains no script, and allows its own style sheet only', async () => {
  const order = await placeOrder();
  const attack = `</td><script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;
  await sql('UPDATE order_lines SET strain_name = $2 WHERE order_id = $1', [order.id, attack]);
  await sql('UPDATE clients SET first_name = $2, email = $2 WHERE id = $1', [order.clientId, attack]);
  await sql(
    `UPDATE orders SET shipping = shipping || jsonb_build_object('address1', $2::text), external_reference = $3 WHERE id = $1`,
    [order.id, attack, attack.slice(0, 90)],
  );
  const { text, headers } = await invoice(order.id);
  expect(text).not.toMatch(/<script|<img|<[^>]*\son\w+=|javascript:/i);
  expect(textOf(text)).toContain('&lt;script&gt;');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('is of the digital key of the order only', async () => {
  const order = await placeOrder();
  for (const caller of [sibling, stranger]) {
    expect((await invoice(order.id, caller)).envelope.code).toBe('NOT_OWNED');
  }
});

it('is the same page for an administrator, whatever digital key the order is of', async () => {
  const order = await placeOrder();
  const page = await admin.ask('GET', `/admin/orders/${order.id}/invoice`);
  expect([page.status, page.text]).toEqual([200, (await invoice(order.id)).text]);
  expect((await holder.signedIn.ask('GET', `/admin/orders/${order.id}/invoice`)).status).toBe(403);
  expect((await admin.ask('GET', `/admin/orders/${randomUUID()}/invoice`)).envelope).toMatchObject({
    code: 'RESOURCE_NOT_FOUND',
    message: 'Order not found',
  });
});
