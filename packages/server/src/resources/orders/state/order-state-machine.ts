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
  | { readonly ok: false; readonly reason: string };

/**
 * Computes the next state of an order, if this actor may change it so. Fields that are not requested stay, with two
 * exceptions: a rejection cancels the order, and progress approves it, because administrators do both.
 */
export function transitionOrder(
  actor: TransitionActor,
  from: OrderState,
  requested: Partial<OrderState>,
): TransitionResult {
  const next = applyConsequences(from, requested);
  if (actor === 'HOLDER' && next.orderStatus !== from.orderStatus && !isUntouched(from)) {
    return {
      ok: false,
      reason: 'Only an order that nobody has worked on can be cancelled: ask an administrator',
    };
  }
  const reason =
    explainTransition('An order', orderTransitions[actor], from.orderStatus, next.orderStatus) ??
    explainTransition('A payment', paymentTransitions[actor], from.paymentStatus, next.paymentStatus) ??
    explainTransition('An approval', approvalTransitions[actor], from.adminApproval, next.adminApproval);
  if (reason !== null) return { ok: false, reason };
  if (!isValidState(next)) {
    return {
      ok: false,
      reason: `An order whose approval is ${next.adminApproval} cannot be ${next.orderStatus}`,
    };
  }
  const isStartingPayment = from.paymentStatus === 'PENDING' && isBeingPaid(next.paymentStatus);
  if (isStartingPayment && next.orderStatus === 'CANCELLED') {
    return { ok: false, reason: 'A cancelled order is not paid for any more' };
  }
  return { ok: true, state: next };
}

function applyConsequences(from: OrderState, requested: Partial<OrderState>): OrderState {
  const next = { ...from, ...requested };
  if (requested.adminApproval === 'REJECTED' && requested.orderStatus === undefined) {
    return { ...next, orderStatus: 'CANCELLED' };
  }
  const isInProgress = next.orderStatus !== 'PENDING' && next.orderStatus !== 'CANCELLED';
  if (isInProgress && requested.adminApproval === undefined && from.adminApproval === 'PENDING') {
    return { ...next, adminApproval: 'VERIFIED' };
  }
  return next;
}

function isBeingPaid(status: PaymentStatus): boolean {
  return status === 'PROCESSING' || status === 'PAID';
}

/** Whether nobody has worked on an order yet, so that its holder may cancel it. A payment that failed has changed nothing. */
function isUntouched({ orderStatus, paymentStatus, adminApproval }: OrderState): boolean {
  const isUnpaid = paymentStatus === 'PENDING' || paymentStatus === 'FAILED';
  return orderStatus === 'PENDING' && adminApproval === 'PENDING' && isUnpaid;
}

/** Whether an order is delivered or cancelled. */
export function isFinal({ orderStatus }: OrderState): boolean {
  return orderStatus === 'DELIVERED' || orderStatus === 'CANCELLED';
}
