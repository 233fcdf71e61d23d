import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { toCents } from '../packages/console/src/format/read-cents.ts';
import {
  leftToRefund,
  leftToSend,
  priceOf,
  refundableCents,
} from '../packages/console/src/pages/admin/orders/order-rest.ts';
import type { AdminOrderDetails } from '../packages/sdk/src/index.ts';
import { randomFrom } from './support/random-from.ts';
import { openShipping } from './support/shipped-orders.ts';
import { dataOf, openStorefront, type Reply } from './support/storefront.ts';

const storefront = await openStorefront();
const { admin } = storefront;
const { placeOrder } = openShipping(storefront);
const seed = Number(process.env.REST_SEED ?? randomInt(2 ** 31));
const steps = 8;

it(`the console offers to send and to refund exactly what the service takes (REST_SEED=${seed})`, {
  tags: ['long'],
}, async () => {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  for (const state of [
    {},
    { adminApproval: 'VERIFIED' },
    { paymentStatus: 'PAID' },
    { adminApproval: 'VERIFIED', paymentStatus: 'PAID' },
    { adminApproval: 'VERIFIED', paymentStatus: 'PAID' },
    { adminApproval: 'VERIFIED', paymentStatus: 'PAID', orderStatus: 'PROCESSING' },
    { adminApproval: 'VERIFIED', paymentStatus: 'PAID', orderStatus: 'SHIPPED' },
    { adminApproval: 'VERIFIED', paymentStatus: 'PAID', orderStatus: 'DELIVERED' },
    { paymentStatus: 'PAID', orderStatus: 'CANCELLED' },
  ] as const) {
    const order = await placeOrder(Object.keys(state).length > 0 ? state : null);
    const ship = (body: object) => order.ship({ carrier: 'DHL', ...body });
    for (let step = 0; step < steps; step++) {
      const shown = dataOf<AdminOrderDetails>(await admin.ask('GET', `/admin/orders/${order.id}`));
      const name = `${JSON.stringify(state)} ${JSON.stringify(shown)}`;
      const expectTaken = async (reply: Promise<Reply>) => expect((await reply).status, name).toBe(201);
      const expectRefused = async (reply: Promise<Reply>) =>
        expect((await reply).status, name).toBeGreaterThanOrEqual(400);
      const unsent = leftToSend(shown);
      const unrefunded = leftToRefund(shown);
      const cents = refundableCents(shown);
      // One more than is left, of everything.
      const lineIds = shown.orderLines.map(({ id }) => id);
      for (const id of lineIds) {
        const restOf = (rest: typeof unsent) => rest.find(({ line }) => line.id === id)?.quantity ?? 0;
        await expectRefused(ship({ orderLines: [{ id, quantity: restOf(unsent) + 1 }] }));
        await expectRefused(order.refund({ orderLines: [{ id, quantity: restOf(unrefunded) + 1 }] }));
      }
      await expectRefused(order.refund({ amount: ((cents + 1) / 100).toFixed(2) }));
      if (unsent.length === 0) await expectRefused(ship({}));
      if (cents === 0) await expectRefused(order.refund({}));
      if (shown.orderStatus === 'CANCELLED') await expectRefused(order.refund({ restock: true }));

      // Something that is left.
      const affordable = unrefunded.filter(
        ({ line }) => priceOf([line], [{ id: line.id, quantity: 1 }]) <= cents,
      );
      const actions = [
        ...(unsent.length > 0
          ? [
              () => {
                const { line, quantity } = pick(unsent);
                return ship({ orderLines: [{ id: line.id, quantity: 1 + random(quantity) }] });
              },
              () => ship({ orderLines: unsent.map(({ line, quantity }) => ({ id: line.id, quantity })) }),
            ]
          : []),
        ...(cents > 0
          ? [
              () => order.refund({ amount: ((1 + random(cents)) / 100).toFixed(2) }),
              () => order.refund({ amount: (Math.ceil(cents / 4) / 100).toFixed(2) }),
            ]
          : []),
        ...(cents > 0 && affordable.length > 0
          ? [() => order.refund({ orderLines: [{ id: pick(affordable).line.id, quantity: 1 }] })]
          : []),
      ];
      if (actions.length === 0) break;
      await expectTaken(pick(actions)());
      expect(toCents(shown.paidAmount), name).toBeGreaterThanOrEqual(cents);
    }
  }
});
