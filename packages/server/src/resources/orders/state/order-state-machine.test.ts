import { approvals, orderStatuses, paymentStatuses } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { isFinal, isValidState, type OrderState, transitionOrder } from './order-state-machine.ts';

// Written out a second time, on purpose: what follows holds the code against these lines.
const mayFollow = new Set([
  'order: PENDING → PROCESSING',
  'order: PENDING → SHIPPED',
  'order: PENDING → DELIVERED',
  'order: PENDING → CANCELLED',
  'order: PROCESSING → SHIPPED',
  'order: PROCESSING → DELIVERED',
  'order: PROCESSING → CANCELLED',
  'order: SHIPPED → DELIVERED',
  'payment: PENDING → PROCESSING',
  'payment: PENDING → PAID',
  'payment: PENDING → FAILED',
  'payment: PROCESSING → PAID',
  'payment: PROCESSING → FAILED',
  'payment: PAID → REFUNDED',
  'approval: PENDING → VERIFIED',
  'approval: PENDING → REJECTED',
  'approval: VERIFIED → REJECTED',
]);
const possiblePairs = new Set([
  'PENDING PENDING',
  'PENDING VERIFIED',
  'PROCESSING VERIFIED',
  'SHIPPED VERIFIED',
  'DELIVERED VERIFIED',
  'CANCELLED PENDING',
  'CANCELLED VERIFIED',
  'CANCELLED REJECTED',
]);

const all: OrderState[] = orderStatuses.flatMap((orderStatus) =>
  paymentStatuses.flatMap((paymentStatus) =>
    approvals.map((adminApproval) => ({ orderStatus, paymentStatus, adminApproval })),
  ),
);
const canBe = ({ orderStatus, adminApproval }: OrderState) =>
  possiblePairs.has(`${orderStatus} ${adminApproval}`);
const possible = all.filter(canBe);

const follows = (what: string, before: string, after: string) =>
  before === after || mayFollow.has(`${what}: ${before} → ${after}`);

function isAllowed(from: OrderState, to: OrderState): boolean {
  const isPaidWhenCancelled =
    to.orderStatus === 'CANCELLED' &&
    from.paymentStatus === 'PENDING' &&
    ['PROCESSING', 'PAID'].includes(to.paymentStatus);
  return (
    follows('order', from.orderStatus, to.orderStatus) &&
    follows('payment', from.paymentStatus, to.paymentStatus) &&
    follows('approval', from.adminApproval, to.adminApproval) &&
    canBe(to) &&
    !isPaidWhenCancelled
  );
}

const state = (orderStatus: string, paymentStatus: string, adminApproval: string): OrderState => {
  const found = all.find(
    (each) =>
      each.orderStatus === orderStatus &&
      each.paymentStatus === paymentStatus &&
      each.adminApproval === adminApproval,
  );
  if (!found) throw new Error(`No such state: ${orderStatus} ${paymentStatus} ${adminApproval}`);
  return found;
};

describe('the states of an order', () => {
  it('are seventy-five, of which forty can be', () => {
    expect(all).toHaveLength(75);
    expect(possible).toHaveLength(40);
    for (const each of all) expect(isValidState(each), JSON.stringify(each)).toBe(canBe(each));
  });

  it('are the end of it when it is delivered or cancelled', () => {
    expect(new Set(all.filter(isFinal).map(({ orderStatus }) => orderStatus))).toEqual(
      new Set(['DELIVERED', 'CANCELLED']),
    );
  });
});

describe('a move that names all three fields', () => {
  it('is made from every possible state to exactly those that the table allows', () => {
    let made = 0;
    for (const from of possible) {
      for (const to of all) {
        const move = transitionOrder(from, to);
        expect(move.ok, `${JSON.stringify(from)} → ${JSON.stringify(to)}`).toBe(isAllowed(from, to));
        if (move.ok) expect(move.state).toEqual(to);
        else expect(move.reason).toMatch(/^An? [a-z].+[A-Za-z]$/);
        if (move.ok) made++;
      }
    }
    expect(made).toBe(possible.flatMap((from) => all.filter((to) => isAllowed(from, to))).length);
    expect(made).toBeGreaterThan(possible.length);
  });

  it('never leads back, over however many moves', () => {
    for (const from of possible) {
      const reached = new Set<OrderState>();
      const visit = (at: OrderState) => {
        for (const to of possible) {
          if (to === at || reached.has(to) || !transitionOrder(at, to).ok) continue;
          reached.add(to);
          visit(to);
        }
      };
      visit(from);
      expect(reached, JSON.stringify(from)).not.toContain(from);
    }
  });
});

describe('a move that names some of the fields', () => {
  const some = <Value>(values: readonly Value[]) => [undefined, ...values];
  const requests: Partial<OrderState>[] = some(orderStatuses).flatMap((orderStatus) =>
    some(paymentStatuses).flatMap((paymentStatus) =>
      some(approvals).map((adminApproval) => ({
        ...(orderStatus && { orderStatus }),
        ...(paymentStatus && { paymentStatus }),
        ...(adminApproval && { adminApproval }),
      })),
    ),
  );

  it('ends in a state that can be, reached field by field, with everything that was asked for', () => {
    for (const from of possible) {
      for (const asked of requests) {
        const move = transitionOrder(from, asked);
        if (!move.ok) continue;
        const what = `${JSON.stringify(from)} asked for ${JSON.stringify(asked)}`;
        expect(isAllowed(from, move.state), what).toBe(true);
        expect(move.state, what).toMatchObject(asked);
      }
    }
  });

  it('leaves the other fields alone, but for what a rejection and work on the order bring about', () => {
    for (const from of possible) {
      for (const asked of requests) {
        const move = transitionOrder(from, asked);
        if (!move.ok) continue;
        const expected = { ...from, ...asked };
        if (asked.adminApproval === 'REJECTED' && !asked.orderStatus) expected.orderStatus = 'CANCELLED';
        const isWork = ['PROCESSING', 'SHIPPED', 'DELIVERED'].includes(expected.orderStatus);
        if (isWork && !asked.adminApproval) expected.adminApproval = 'VERIFIED';
        expect(move.state, `${JSON.stringify(from)} asked for ${JSON.stringify(asked)}`).toEqual(expected);
      }
    }
  });

  it('stays where it is when nothing is asked for', () => {
    for (const from of possible) expect(transitionOrder(from, {})).toEqual({ ok: true, state: from });
  });

  it('cancels what is rejected', () => {
    for (const from of ['PENDING', 'PROCESSING', 'CANCELLED']) {
      const before = state(from, 'PENDING', from === 'PROCESSING' ? 'VERIFIED' : 'PENDING');
      expect(transitionOrder(before, { adminApproval: 'REJECTED' })).toEqual({
        ok: true,
        state: state('CANCELLED', 'PENDING', 'REJECTED'),
      });
    }
  });

  it.each(['PROCESSING', 'SHIPPED', 'DELIVERED'] as const)('approves what becomes %s', (orderStatus) => {
    expect(transitionOrder(state('PENDING', 'PENDING', 'PENDING'), { orderStatus })).toEqual({
      ok: true,
      state: state(orderStatus, 'PENDING', 'VERIFIED'),
    });
  });
});

describe('the reason of a rejected transition', () => {
  const fresh = state('PENDING', 'PENDING', 'PENDING');

  it.each<[string, OrderState, Partial<OrderState>]>([
    [
      'An order that is SHIPPED cannot become PENDING',
      state('SHIPPED', 'PENDING', 'VERIFIED'),
      { orderStatus: 'PENDING' },
    ],
    [
      'An order that is SHIPPED cannot become CANCELLED',
      state('SHIPPED', 'PENDING', 'VERIFIED'),
      { adminApproval: 'REJECTED' },
    ],
    [
      'An order that is CANCELLED cannot become PENDING',
      state('CANCELLED', 'PENDING', 'PENDING'),
      { orderStatus: 'PENDING' },
    ],
    [
      'A payment that is FAILED cannot become PAID',
      state('PENDING', 'FAILED', 'PENDING'),
      { paymentStatus: 'PAID' },
    ],
    ['A payment that is PENDING cannot become REFUNDED', fresh, { paymentStatus: 'REFUNDED' }],
    [
      'An approval that is REJECTED cannot become VERIFIED',
      state('CANCELLED', 'PENDING', 'REJECTED'),
      { adminApproval: 'VERIFIED' },
    ],
    [
      'An approval that is VERIFIED cannot become PENDING',
      state('PENDING', 'PENDING', 'VERIFIED'),
      { adminApproval: 'PENDING' },
    ],
    [
      'An order whose approval is PENDING cannot be SHIPPED',
      fresh,
      { orderStatus: 'SHIPPED', adminApproval: 'PENDING' },
    ],
    [
      'An order whose approval is REJECTED cannot be PENDING',
      fresh,
      { orderStatus: 'PENDING', adminApproval: 'REJECTED' },
    ],
    [
      'A cancelled order is not paid for any more',
      fresh,
      { orderStatus: 'CANCELLED', paymentStatus: 'PAID' },
    ],
    [
      'A cancelled order is not paid for any more',
      state('CANCELLED', 'PENDING', 'PENDING'),
      { paymentStatus: 'PROCESSING' },
    ],
  ])('is: %s', (reason, from, asked) => {
    expect(transitionOrder(from, asked)).toEqual({ ok: false, reason });
  });

  it('is about the order before the payment, and about the payment before the approval', () => {
    const over = state('CANCELLED', 'FAILED', 'REJECTED');
    expect(transitionOrder(over, fresh)).toMatchObject({ reason: expect.stringMatching(/^An order that/) });
    expect(transitionOrder(over, { ...fresh, orderStatus: 'CANCELLED' })).toMatchObject({
      reason: expect.stringMatching(/^A payment that/),
    });
    expect(transitionOrder(over, { ...over, adminApproval: 'PENDING' })).toMatchObject({
      reason: expect.stringMatching(/^An approval that/),
    });
  });
});
