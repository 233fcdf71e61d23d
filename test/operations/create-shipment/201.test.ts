import type { AuditPage, Shipment } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { followEvents } from '../../support/event-data.ts';
import { openShipping, shipmentIn } from '../../support/shipped-orders.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const storefront = await openStorefront();
const { holder, admin } = storefront;
const { placeOrder } = openShipping(storefront);
const carrier = 'Comet Parcel';

it('sends everything that is left, shows the parcel in the order, and audits it', async () => {
  const order = await placeOrder();
  const tracking = { trackingNumber: 'CP1', trackingUrl: 'https://carrier.example/CP1' };
  const shipment = shipmentIn(await order.ship({ carrier, ...tracking }));
  expect(shipment).toEqual({
    id: expect.any(String),
    orderId: order.id,
    carrier,
    ...tracking,
    orderLines: [
      { id: order.first, quantity: 4 },
      { id: order.second, quantity: 3 },
    ],
    createdAt: expect.any(String),
    updatedAt: shipment.createdAt,
  });
  const { orderStatus, shipments } = await order.read();
  expect([orderStatus, shipments]).toEqual(['SHIPPED', [shipment]]);
  const { entries } = dataOf<AuditPage>(await admin.ask('GET', `/admin/audit?subjectId=${order.id}&take=1`));
  expect(entries).toMatchObject([
    { action: 'CHANGE', before: { orderStatus: 'PENDING' }, after: { orderStatus: 'SHIPPED', carrier } },
  ]);
});

it('sends a part, then another, and the order is shipped with the last', async () => {
  const order = await placeOrder();
  expect((await order.ship({ carrier, orderLines: [{ id: order.first, quantity: 1 }] })).status).toBe(201);
  expect((await order.read()).orderStatus).toBe('PROCESSING');
  // A line may be named twice, and its id in capitals.
  const lines = [
    { id: order.first, quantity: 1 },
    { id: order.first.toUpperCase(), quantity: 2 },
  ];
  expect(shipmentIn(await order.ship({ carrier, orderLines: lines })).orderLines).toEqual([
    { id: order.first, quantity: 3 },
  ]);
  expect(shipmentIn(await order.ship({ carrier })).orderLines).toEqual([{ id: order.second, quantity: 3 }]);
  expect(await order.read()).toMatchObject({ orderStatus: 'SHIPPED' });
});

it('sends no unit that was refunded', async () => {
  const order = await placeOrder();
  expect((await order.refund({ orderLines: [{ id: order.first, quantity: 3 }] })).status).toBe(201);
  expect(shipmentIn(await order.ship({ carrier })).orderLines).toEqual([
    { id: order.first, quantity: 1 },
    { id: order.second, quantity: 3 },
  ]);
  expect((await order.read()).orderStatus).toBe('SHIPPED');
});

it('refuses what is not approved, is closed, or is more than is left, and changes nothing', async () => {
  const cases = [
    [await placeOrder(null), {}, 'ORDER_NOT_APPROVED'],
    [await placeOrder({ orderStatus: 'CANCELLED' }), {}, 'ORDER_CLOSED'],
    [await placeOrder({ adminApproval: 'VERIFIED', orderStatus: 'DELIVERED' }), {}, 'ORDER_CLOSED'],
  ] as const;
  for (const [order, body, code] of cases) {
    const before = await order.read();
    const { status, envelope } = await order.ship({ carrier, ...body });
    expect([status, envelope.code]).toEqual([403, code]);
    expect(await order.read()).toEqual(before);
  }
  const order = await placeOrder();
  for (const [orderLines, message] of [
    [[{ id: order.first, quantity: 5 }], /, 4 units are left to send$/],
    [
      [
        { id: order.first, quantity: 3 },
        { id: order.first, quantity: 2 },
      ],
      /, 4 units are left to send$/,
    ],
  ] as const) {
    const { status, envelope } = await order.ship({ carrier, orderLines });
    expect([status, envelope.code]).toEqual([403, 'SHIPMENT_TOO_LARGE']);
    expect(envelope.message).toMatch(message);
  }
  expect((await order.ship({ carrier })).status).toBe(201);
  expect((await order.ship({ carrier })).envelope).toMatchObject({
    code: 'SHIPMENT_TOO_LARGE',
    message: 'Nothing is left to send',
  });
});

it('knows the lines of this order only', async () => {
  const [order, other] = [await placeOrder(), await placeOrder()];
  for (const id of [other.first, unknownId]) {
    const { status, envelope } = await order.ship({ carrier, orderLines: [{ id, quantity: 1 }] });
    expect([status, envelope.data]).toEqual([400, ['orderLines.0.id must be the id of a line of the order']]);
  }
});

it('sends each unit once when ten send at the same time', async () => {
  const order = await placeOrder();
  const orderLines = [{ id: order.first, quantity: 1 }];
  const replies = await Promise.all(Array.from({ length: 10 }, () => order.ship({ carrier, orderLines })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
  expect((await order.read()).shipments).toHaveLength(4);
});

it('cannot be followed by a cancellation', async () => {
  const order = await placeOrder();
  await order.ship({ carrier, orderLines: [{ id: order.first, quantity: 1 }] });
  for (const body of [{ orderStatus: 'CANCELLED' }, { adminApproval: 'REJECTED' }] as const) {
    expect((await order.change(body)).envelope).toMatchObject({
      code: 'ORDER_TRANSITION_REFUSED',
      message: 'An order of which a parcel was sent cannot be cancelled: refund it',
    });
  }
});

it('is corrected, and both are events with the client', async () => {
  const log = followEvents(holder, 'shipment.*');
  await log.readOn();
  const order = await placeOrder();
  const sent = shipmentIn(await order.ship({ carrier, trackingNumber: 'WRONG' }));
  const path = `/admin/orders/${order.id}/shipments/${sent.id}`;
  const correct = (body: object, at = path) => admin.ask('PATCH', at, { body });
  const corrected = dataOf<Shipment>(await correct({ trackingNumber: 'RIGHT' }));
  expect(corrected).toEqual({ ...sent, trackingNumber: 'RIGHT', updatedAt: corrected.updatedAt });
  // The same again is no event.
  dataOf(await correct({ trackingNumber: 'RIGHT' }));
  const { client, invoiceNumber, externalReference } = order.placed;
  const events = await log.waitFor('shipment.updated');
  expect(events).toMatchObject([
    { type: 'shipment.created', data: { ...sent, client, invoiceNumber, externalReference } },
    {
      type: 'shipment.updated',
      data: { ...corrected, client },
      changes: { trackingNumber: { from: 'WRONG', to: 'RIGHT' } },
    },
  ]);
  expect(dataOf(await correct({ trackingNumber: null }))).toMatchObject({ trackingNumber: null });
  const other = await placeOrder();
  expect((await correct({ carrier }, path.replace(order.id, other.id))).status).toBe(404);
  expect((await correct({})).status).toBe(400);
});

it('is sent, or the order is cancelled, when both are asked for at once', { tags: ['long'] }, async () => {
  for (let round = 0; round < 15; round++) {
    const order = await placeOrder();
    const orderLines = [{ id: order.first, quantity: 1 }];
    await Promise.all([
      order.ship({ carrier, orderLines }),
      order.change({ orderStatus: 'CANCELLED' }),
      order.change({ adminApproval: 'REJECTED' }),
    ]);
    const { orderStatus, shipments } = await order.read();
    expect([orderStatus, shipments.length]).toEqual(
      orderStatus === 'CANCELLED' ? ['CANCELLED', 0] : ['PROCESSING', 1],
    );
  }
});

it('knows the order by its id in capitals too, and so does a refund', async () => {
  const order = await placeOrder();
  const path = `/admin/orders/${order.id.toUpperCase()}`;
  const orderLines = [{ id: order.first, quantity: 1 }];
  const sent = shipmentIn(await admin.ask('POST', `${path}/shipments`, { body: { carrier, orderLines } }));
  const body = { orderLines, reason: 'Broken' };
  const refunded = dataOf(await admin.ask('POST', `${path}/refunds`, { body }));
  const corrected = dataOf(await admin.ask('PATCH', `${path}/shipments/${sent.id}`, { body: { carrier } }));
  for (const record of [sent, refunded, corrected])
    expect(record).toMatchObject({ orderId: order.id, orderLines });
  const read = await holder.ask('GET', `/dapp/orders/${order.id.toUpperCase()}`);
  expect(dataOf(read)).toMatchObject({
    shipments: [{ orderId: order.id, orderLines }],
    refunds: [{ orderLines }],
  });
});

it.each([
  ['https://user:secret@carrier.example/1', 'trackingUrl must not contain a user name or password'],
  ['https://carrier.example:99999/1', 'trackingUrl must be a URL address'],
])('refuses the tracking URL %s, in a correction too', async (trackingUrl, issue) => {
  const order = await placeOrder();
  expect((await order.ship({ carrier: 'CTT', trackingUrl })).envelope.data).toEqual([issue]);
  const { id } = shipmentIn(await order.ship({ carrier: 'CTT' }));
  const path = `/admin/orders/${order.id}/shipments/${id}`;
  expect((await admin.ask('PATCH', path, { body: { trackingUrl } })).envelope.data).toEqual([issue]);
});
