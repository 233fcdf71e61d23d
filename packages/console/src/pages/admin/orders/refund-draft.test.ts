import type { AdminOrderDetails } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { firstDraft, type RefundDraft, readRefund } from './refund-draft.ts';

const order = {
  orderStatus: 'DELIVERED',
  paymentStatus: 'PAID',
  paidAmount: 30,
  refundedAmount: 5,
  refundDue: 0,
  orderLines: [{ id: 'a', quantity: 3, productAmount: 9 }],
  refunds: [],
} as unknown as AdminOrderDetails;
const draft: RefundDraft = { ...firstDraft(order), reason: ' Broken ' };
const read = (changed: Partial<RefundDraft>, changedOrder: Partial<AdminOrderDetails> = {}) =>
  readRefund({ ...order, ...changedOrder }, { ...draft, ...changed });

it('reads everything that is left, units or an amount, with the amount in cents', () => {
  expect(read({})).toEqual({ ok: true, refund: { reason: 'Broken' }, cents: 2500 });
  expect(read({ kind: 'lines', quantities: { a: '2' }, isRestocked: true })).toEqual({
    ok: true,
    refund: { reason: 'Broken', orderLines: [{ id: 'a', quantity: 2 }], restock: true },
    cents: 1800,
  });
  // An amount is of no units, so that none come back.
  expect(read({ kind: 'amount', amount: '7,5', isRestocked: true })).toEqual({
    ok: true,
    refund: { reason: 'Broken', amount: '7.50' },
    cents: 750,
  });
});

it('reads nothing that the service refuses', () => {
  for (const changed of [
    { reason: ' ' },
    { kind: 'amount', amount: '' },
    { kind: 'amount', amount: '0' },
    { kind: 'amount', amount: '25.01' },
    { kind: 'lines', quantities: {} },
    { kind: 'lines', quantities: { a: '4' } },
    { kind: 'lines', quantities: { a: '1.5' } },
    { kind: 'lines', quantities: { a: '3' } },
  ] as const) {
    expect(read(changed).ok, JSON.stringify(changed)).toBe(false);
  }
});

it('returns no stock of a cancelled order, which has returned it already', () => {
  expect(read({ isRestocked: true }, { orderStatus: 'CANCELLED' })).toMatchObject({
    refund: { reason: 'Broken' },
  });
});

it('begins with what is due', () => {
  expect(firstDraft({ ...order, refundDue: 25 })).toMatchObject({ kind: 'everything' });
  expect(firstDraft({ ...order, refundDue: 10 })).toMatchObject({ kind: 'amount', amount: '10.00' });
});
