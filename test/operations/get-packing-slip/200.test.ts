import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { textOf } from '../../support/printed-text.ts';
import { openShipping, shipmentIn } from '../../support/shipped-orders.ts';
import { openStorefront } from '../../support/storefront.ts';

const storefront = await openStorefront();
const { holder, admin, sql } = storefront;
const { placeOrder } = openShipping(storefront);
const packingSlip = (id: string, query = '', caller: Pick<typeof admin, 'ask'> = admin) =>
  caller.ask('GET', `/admin/orders/${id}/packing-slip${query}`);
const read = async (id: string, query = '') => textOf((await packingSlip(id, query)).text);

it('lists what is left to send, without prices', async () => {
  const order = await placeOrder();
  const [first, second] = order.placed.orderLines.map(({ strain }) => strain.name);
  const { client, invoiceNumber } = order.placed;
  const whole = await read(order.id);
  expect(whole).toContain(`Packing slip Number ${invoiceNumber}`);
  expect(whole).toContain(`Ship to ${client.firstName} ${client.lastName} Rua do Exemplo 1`);
  expect(whole).toContain(`Description Ordered In this parcel ${first} 4 4 ${second} 3 3`);
  expect(whole).not.toMatch(/€|12\.50|@/);

  await order.ship({ carrier: 'CTT', orderLines: [{ id: order.first, quantity: 3 }] });
  await order.refund({ orderLines: [{ id: order.second, quantity: 3 }] });
  const rest = await read(order.id);
  expect(rest).toContain(`Description Ordered In this parcel ${first} 4 1 `);
  expect(rest).not.toContain(second);

  await order.ship({ carrier: 'CTT' });
  expect(await read(order.id)).toContain('Nothing is left to send.');
});

it('lists what a parcel contains, with its carrier', async () => {
  const order = await placeOrder();
  const ship = (quantity: number, trackingNumber: string) =>
    order.ship({ carrier: 'CTT <Expresso>', trackingNumber, orderLines: [{ id: order.first, quantity }] });
  const parcels = [shipmentIn(await ship(1, 'EA1')), shipmentIn(await ship(2, 'EA2'))];
  const [line] = order.placed.orderLines;
  for (const [at, { id }] of parcels.entries()) {
    const page = await read(order.id, `?shipmentId=${id.toUpperCase()}`);
    expect(page).toContain(`Carrier CTT &lt;Expresso&gt; EA${at + 1}`);
    expect(page).toContain(`In this parcel ${line?.strain.name} 4 ${at + 1} `);
  }
});

it('finds no parcel of another order, and is for administrators only', async () => {
  const [order, other] = [await placeOrder(), await placeOrder()];
  const { id } = shipmentIn(await other.ship({ carrier: 'CTT' }));
  expect((await packingSlip(order.id, `?shipmentId=${id}`)).envelope).toMatchObject({
    code: 'RESOURCE_NOT_FOUND',
    message: 'Shipment not found',
  });
  expect((await packingSlip(order.id, '?shipmentId=7')).status).toBe(400);
  expect((await packingSlip(randomUUID())).status).toBe(404);
  expect((await packingSlip(order.id, '', holder.signedIn)).status).toBe(403);
});

it('contains no script, whatever the texts are', async () => {
  const order = await placeOrder();
  const attack = `</td><script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;
  await sql('UPDATE order_lines SET strain_name = $2 WHERE order_id = $1', [order.id, attack]);
  await sql('UPDATE clients SET last_name = $2 WHERE id = $1', [order.clientId, attack]);
  const { text, headers } = await packingSlip(order.id);
  expect(text).not.toMatch(/<script|<img|<[^>]*\son\w+=/i);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/,
  );
});

it('says that an order is not to be sent, and lists nothing', async () => {
  const cancelled = await placeOrder();
  await cancelled.change({ orderStatus: 'CANCELLED' });
  const refunded = await placeOrder();
  await refunded.refund({ amount: 52.97 });
  const states = { cancelled, refunded, 'not approved': await placeOrder({ paymentStatus: 'PAID' }) };
  for (const [state, { id, placed }] of Object.entries(states)) {
    const page = await read(id);
    expect(page).toMatch(new RegExp(`This order (is|was) ${state}. Do not send it.`));
    expect(page).not.toContain(placed.orderLines[0]?.strain.name);
  }
});
