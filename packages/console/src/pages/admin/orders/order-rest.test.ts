import type { AdminOrderDetails } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { leftToRefund, leftToSend, priceOf, refundableCents } from './order-rest.ts';

const lines = (...quantities: (readonly [string, number])[]) => ({
  orderLines: quantities.map(([id, quantity]) => ({ id, quantity })),
});
const order = {
  orderStatus: 'PROCESSING',
  adminApproval: 'VERIFIED',
  paymentStatus: 'PAID',
  paidAmount: 30.3,
  refundedAmount: 10.1,
  orderLines: [
    { id: 'a', quantity: 3, productAmount: 10.1 },
    { id: 'b', quantity: 1, productAmount: 0 },
  ],
  shipments: [lines(['a', 1])],
  refunds: [lines(['a', 1])],
} as unknown as AdminOrderDetails;
const countsOf = (rest: ReturnType<typeof leftToSend>) =>
  rest.map(({ line, quantity }) => [line.id, quantity]);

it('leaves to send what was neither sent nor refunded', () => {
  expect(countsOf(leftToSend(order))).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect(countsOf(leftToSend({ ...order, shipments: [lines(['a', 2], ['b', 1])] as never }))).toEqual([]);
});

it('sends nothing of an order that is closed, refunded or not approved', () => {
  for (const state of [
    { orderStatus: 'CANCELLED' },
    { orderStatus: 'DELIVERED' },
    { adminApproval: 'PENDING' },
    { paymentStatus: 'REFUNDED' },
  ] as const) {
    expect(leftToSend({ ...order, ...state })).toEqual([]);
  }
});

it('leaves to refund what was paid and not refunded', () => {
  expect(countsOf(leftToRefund(order))).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(refundableCents(order)).toBe(2020);
  expect(refundableCents({ ...order, paymentStatus: 'REFUNDED', refundedAmount: 30.3 })).toBe(0);
  expect(refundableCents({ ...order, paymentStatus: 'PENDING', paidAmount: 0 })).toBe(0);
  expect(priceOf(order.orderLines, [{ id: 'a', quantity: 2 }])).toBe(2020);
});
