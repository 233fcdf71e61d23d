import type { Approval, OrderStatus, PaymentStatus } from '@keyfront/protocol';
import {
  approvalTransitions,
  explainTransition,
  orderTransitions,
  paymentTransitions,
  type TransitionActor,
} from '../../states/transitions.ts';

/** The state of an order. */
export interface OrderState {
  readonly orderStatus: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly adminApproval: Approval;
}

/** Whether a state satisfies the invariants that hold for every order. */
export function isValidState({ orderStatus, adminApproval }: OrderState): boolean {
  // A rejected order is cancelled. An order in progress is approved.
  if (adminApproval === 'REJECTED') return orderStatus === 'CANCELLED';
  return orderStatus === 'PENDING' || orderStatus === 'CANCELLED' || adminApproval === 'VERIFIED';
}

/** The next state of an order, or the reason why the transition is not allowed. */
export type TransitionResult =
  | { readonly ok: true; readonly state: OrderState }
  | {
      readonly ok: false;
      readonly code: 'ORDER_TRANSITION_REFUSED' | 'ORDER_CLOSED';
      readonly reason: string;
    };

/**
 * Computes the next state of an order, if this actor may change it so. Fields that are not requested stay, but a rejection cancels the
 * order.
 */
export function transitionOrder(
  actor: TransitionActor,
  from: OrderState,
  requested: Partial<OrderState>,
): TransitionResult {
  const next = applyConsequences(from, requested);
  if (actor === 'HOLDER' && next.orderStatus !== from.orderStatus && !isUntouched(from)) {
    return refuse('Only an order that nobody has worked on can be cancelled: ask an administrator');
  }
  if (from.orderStatus === 'CANCELLED' && next.adminApproval !== from.adminApproval) {
    return { ok: false, code: 'ORDER_CLOSED', reason: 'A cancelled order cannot be decided' };
  }
  const reason =
    explainTransition('An order', orderTransitions[actor], from.orderStatus, next.orderStatus) ??
    explainTransition('A payment', paymentTransitions[actor], from.paymentStatus, next.paymentStatus) ??
    explainTransition('An approval', approvalTransitions[actor], from.adminApproval, next.adminApproval);
  if (reason !== null) return refuse(reason);
  if (!isValidState(next)) {
    return refuse(`An order whose approval is ${next.adminApproval} cannot be ${next.orderStatus}`);
  }
  // Money that has arrived is noted all the same.
  const isStartingPayment = next.paymentStatus === 'PROCESSING' && from.paymentStatus !== 'PROCESSING';
  if (isStartingPayment && next.orderStatus === 'CANCELLED') {
    return refuse('A cancelled order is not paid for any more');
  }
  return { ok: true, state: next };
}

function refuse(reason: string): TransitionResult {
  return { ok: false, code: 'ORDER_TRANSITION_REFUSED', reason };
}

function applyConsequences(from: OrderState, requested: Partial<OrderState>): OrderState {
  const next = { ...from, ...requested };
  if (requested.adminApproval === 'REJECTED' && requested.orderStatus === undefined) {
    return { ...next, orderStatus: 'CANCELLED' };
  }
  return next;
}

/** Whether nobody has worked on an order yet, so that its holder may cancel it. A payment that failed has changed nothing. */
function isUntouched({ orderStatus, paymentStatus, adminApproval }: OrderState): boolean {
  const isUnpaid = paymentStatus === 'PENDING' || paymentStatus === 'FAILED';
  return orderStatus === 'PENDING' && adminApproval === 'PENDING' && isUnpaid;
}

/** Whether somebody packs, sends or has sent an order. */
export function isWorkedOn({ orderStatus }: OrderState): boolean {
  return orderStatus === 'PROCESSING' || orderStatus === 'SHIPPED' || orderStatus === 'DELIVERED';
}

/** Whether an order is delivered or cancelled. */
export function isFinal({ orderStatus }: OrderState): boolean {
  return orderStatus === 'DELIVERED' || orderStatus === 'CANCELLED';
}
