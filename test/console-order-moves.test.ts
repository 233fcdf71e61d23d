import { expect, it } from 'vitest';
import {
  canDecide,
  orderMovesOf,
  paymentMovesOf,
} from '../packages/console/src/pages/admin/orders/order-moves.ts';
import { canCancel } from '../packages/console/src/pages/orders/can-cancel.ts';
import { approvals, orderStatuses, paymentStatuses } from '../packages/protocol/src/index.ts';
import {
  isValidState,
  type OrderState,
  transitionOrder,
} from '../packages/server/src/resources/orders/state/order-state-machine.ts';
import type { TransitionActor } from '../packages/server/src/resources/states/transitions.ts';

const states: OrderState[] = orderStatuses
  .flatMap((orderStatus) =>
    paymentStatuses.flatMap((paymentStatus) =>
      approvals.map((adminApproval) => ({ orderStatus, paymentStatus, adminApproval })),
    ),
  )
  .filter(isValidState);

/** Whether the service allows a change that is one. */
function isMove(actor: TransitionActor, from: OrderState, change: Partial<OrderState>): boolean {
  const isChange = Object.entries(change).some(([name, value]) => from[name as keyof OrderState] !== value);
  return isChange && transitionOrder(actor, from, change).ok;
}

it('the console offers holders to cancel exactly the orders that the service lets them cancel', () => {
  for (const state of states) {
    expect(canCancel(state), JSON.stringify(state)).toBe(
      isMove('HOLDER', state, { orderStatus: 'CANCELLED' }),
    );
  }
});

it('the console offers administrators exactly the moves and decisions that the service allows', () => {
  for (const state of states) {
    const may = (change: Partial<OrderState>) => isMove('ADMINISTRATOR', state, change);
    const name = JSON.stringify(state);
    expect(orderMovesOf(state), name).toEqual(orderStatuses.filter((orderStatus) => may({ orderStatus })));
    expect(paymentMovesOf(state), name).toEqual(
      // The service takes a refund as a move too. The console asks for its amount and a confirmation.
      paymentStatuses.filter((paymentStatus) => paymentStatus !== 'REFUNDED' && may({ paymentStatus })),
    );
    for (const adminApproval of ['VERIFIED', 'REJECTED'] as const) {
      expect(canDecide(state, adminApproval), `${name} ${adminApproval}`).toBe(may({ adminApproval }));
    }
  }
});
