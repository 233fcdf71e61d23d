import { approvals, orderStatuses, paymentStatuses } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { actors, type TransitionActor } from '../../states/transitions.ts';
import { isFinal, isValidState, type OrderState, transitionOrder } from './order-state-machine.ts';

// Written out a second time, on purpose: what follows holds the code against these lines.
const paymentProgress = [
  'payment: PENDING → PROCESSING',
  'payment: PENDING → PAID',
  'payment: PENDING → FAILED',
  'payment: PROCESSING → PAID',
  'payment: PROCESSING → FAILED',
  'payment: PAID → REFUNDED',
];
const mayFollow: Readonly<Record<TransitionActor, ReadonlySet<string>>> = {
  ADMINISTRATOR: new Set([
    'order: PENDING → PROCESSING',
    'order: PENDING → SHIPPED',
    'order: PENDING → DELIVERED',
    'order: PENDING → CANCELLED',
    'order: PROCESSING → SHIPPED',
    'order: PROCESSING → DELIVERED',
    'order: PROCESSING → CANCELLED',
    'order: SHIPPED → DELIVERED',
    ...paymentProgress,
    'approval: PENDING → VERIFIED',
    'approval: PENDING → REJECTED',
    'approval: VERIFIED → REJECTED',
  ]),
  PROVIDER: new Set(paymentProgress),
  HOLDER: new Set(['order: PENDING → CANCELLED', 'payment: FAILED → PENDING']),
};
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

const follows = (actor: TransitionActor, what: string, before: string, after: string) =>
  before === after || mayFollow[actor].has(`${what}: ${before} → ${after}`);

function isAllowed(actor: TransitionActor, from: OrderState, to: OrderState): boolean {
  // Money that has arrived is noted, but nobody begins to pay a cancelled order.
  const isPaidWhenCancelled =
    to.orderStatus === 'CANCELLED' && from.paymentStatus === 'PENDING' && to.paymentStatus === 'PROCESSING';
  // A holder cancels only what nobody has worked on.
  const isUntouched = from.adminApproval === 'PENDING' && ['PENDING', 'FAILED'].includes(from.paymentStatus);
  const isRefusedToHolder = actor === 'HOLDER' && from.orderStatus !== to.orderStatus && !isUntouched;
  // A cancelled order is not decided any more.
  const isClosed = from.orderStatus === 'CANCELLED' && from.adminApproval !== to.adminApproval;
  return (
    !isRefusedToHolder &&
    !isClosed &&
    follows(actor, 'order', from.orderStatus, to.orderStatus) &&
    follows(actor, 'payment', from.paymentStatus, to.paymentStatus) &&
    follows(actor, 'approval', from.adminApproval, to.adminApproval) &&
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
  it.each(actors)(
    'of %s is made from every possible state to exactly those that the table allows',
    (actor) => {
      let made = 0;
      for (const from of possible) {
        for (const to of all) {
          const move = transitionOrder(actor, from, to);
          expect(move.ok, `${JSON.stringify(from)} → ${JSON.stringify(to)}`).toBe(isAllowed(actor, from, to));
          if (move.ok) expect(move.state).toEqual(to);
          else expect(move.reason).toMatch(/^(An?|Only an) [a-z].+[A-Za-z]$/);
          if (move.ok) made++;
        }
      }
      expect(made).toBe(possible.flatMap((from) => all.filter((to) => isAllowed(actor, from, to))).length);
      expect(made).toBeGreaterThan(possible.length);
    },
  );

  it.each(actors)('of %s never leads back, over however many moves', (actor) => {
    for (const from of possible) {
      const reached = new Set<OrderState>();
      const visit = (at: OrderState) => {
        for (const to of possible) {
          if (to === at || reached.has(to) || !transitionOrder(actor, at, to).ok) continue;
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
        const move = transitionOrder('ADMINISTRATOR', from, asked);
        if (!move.ok) continue;
        const what = `${JSON.stringify(from)} asked for ${JSON.stringify(asked)}`;
        expect(isAllowed('ADMINISTRATOR', from, move.state), what).toBe(true);
        expect(move.state, what).toMatchObject(asked);
      }
    }
  });

  it('leaves the other fields alone, but for what a rejection brings about', () => {
    for (const from of possible) {
      for (const asked of requests) {
        const move = transitionOrder('ADMINISTRATOR', from, asked);
        if (!move.ok) continue;
        const expected = { ...from, ...asked };
        if (asked.adminApproval === 'REJECTED' && !asked.orderStatus) expected.orderStatus = 'CANCELLED';
        expect(move.state, `${JSON.stringify(from)} asked for ${JSON.stringify(asked)}`).toEqual(expected);
      }
    }
  });

  it('stays where it is when nothing is asked for', () => {
    for (const from of possible)
      expect(transitionOrder('ADMINISTRATOR', from, {})).toEqual({ ok: true, state: from });
  });

  it('cancels what is rejected', () => {
    for (const from of ['PENDING', 'PROCESSING']) {
      const before = state(from, 'PENDING', from === 'PROCESSING' ? 'VERIFIED' : 'PENDING');
      expect(transitionOrder('ADMINISTRATOR', before, { adminApproval: 'REJECTED' })).toEqual({
        ok: true,
        state: state('CANCELLED', 'PENDING', 'REJECTED'),
      });
    }
  });

  it.each(['PROCESSING', 'SHIPPED', 'DELIVERED'] as const)(
    'approves nothing that becomes %s',
    (orderStatus) => {
      expect(
        transitionOrder('ADMINISTRATOR', state('PENDING', 'PENDING', 'PENDING'), { orderStatus }),
      ).toEqual({
        ok: false,
        code: 'ORDER_TRANSITION_REFUSED',
        reason: `An order whose approval is PENDING cannot be ${orderStatus}`,
      });
      const asked = { orderStatus, adminApproval: 'VERIFIED' } as const;
      expect(transitionOrder('ADMINISTRATOR', state('PENDING', 'PENDING', 'PENDING'), asked)).toEqual({
        ok: true,
        state: state(orderStatus, 'PENDING', 'VERIFIED'),
      });
    },
  );
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
      { orderStatus: 'CANCELLED', paymentStatus: 'PROCESSING' },
    ],
    [
      'A cancelled order is not paid for any more',
      state('CANCELLED', 'PENDING', 'PENDING'),
      { paymentStatus: 'PROCESSING' },
    ],
  ])('is: %s', (reason, from, asked) => {
    expect(transitionOrder('ADMINISTRATOR', from, asked)).toEqual({
      ok: false,
      code: 'ORDER_TRANSITION_REFUSED',
      reason,
    });
  });

  it('has a code of its own where a cancelled order is decided', () => {
    const closed = { ok: false, code: 'ORDER_CLOSED', reason: 'A cancelled order cannot be decided' };
    for (const [approval, asked] of [
      ['PENDING', 'VERIFIED'],
      ['PENDING', 'REJECTED'],
      ['REJECTED', 'VERIFIED'],
      ['VERIFIED', 'REJECTED'],
    ] as const) {
      const from = state('CANCELLED', 'PENDING', approval);
      expect(transitionOrder('ADMINISTRATOR', from, { adminApproval: asked })).toEqual(closed);
    }
  });

  it('is about the order before the payment, and about the payment before the approval', () => {
    const over = state('SHIPPED', 'FAILED', 'VERIFIED');
    expect(transitionOrder('ADMINISTRATOR', over, fresh)).toMatchObject({
      reason: expect.stringMatching(/^An order that/),
    });
    expect(transitionOrder('ADMINISTRATOR', over, { ...fresh, orderStatus: 'SHIPPED' })).toMatchObject({
      reason: expect.stringMatching(/^A payment that/),
    });
    expect(transitionOrder('ADMINISTRATOR', over, { ...over, adminApproval: 'PENDING' })).toMatchObject({
      reason: expect.stringMatching(/^An approval that/),
    });
  });
});
