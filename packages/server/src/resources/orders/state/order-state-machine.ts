import type { Approval, OrderStatus, PaymentStatus } from '@keyfront/protocol';

/** Where an order stands. */
export interface OrderState {
  readonly orderStatus: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly adminApproval: Approval;
}

type Moves<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** What may follow what. Forward only: nothing here leads back to where it came from. */
export const orderMoves: Moves<OrderStatus> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
  // What has left the house cannot come back into the stock by a word.
  SHIPPED: ['DELIVERED'],
  DELIVERED: [],
  CANCELLED: [],
};

export const paymentMoves: Moves<PaymentStatus> = {
  PENDING: ['PROCESSING', 'COMPLETED', 'FAILED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: ['REFUNDED'],
  FAILED: [],
  REFUNDED: [],
};

export const approvalMoves: Moves<Approval> = {
  PENDING: ['VERIFIED', 'REJECTED'],
  VERIFIED: ['REJECTED'],
  REJECTED: [],
};

/** What every order keeps to, however it came where it is. */
export function isPossible({ orderStatus, adminApproval }: OrderState): boolean {
  // A rejected order is over; one that is being worked on has been approved.
  if (adminApproval === 'REJECTED') return orderStatus === 'CANCELLED';
  return orderStatus === 'PENDING' || orderStatus === 'CANCELLED' || adminApproval === 'VERIFIED';
}

/** An order's next state, or the sentence that says why there is none. */
export type Move =
  | { readonly ok: true; readonly state: OrderState }
  | { readonly ok: false; readonly reason: string };

/**
 * Moves an order. What is not asked for stays, but for what follows: a rejection cancels the order, and working on an
 * order approves it, since it is administrators who do both.
 */
export function moveOrder(from: OrderState, asked: Partial<OrderState>): Move {
  const wanted = withConsequences(from, asked);
  const refusal =
    refuseMove('An order', orderMoves, from.orderStatus, wanted.orderStatus) ??
    refuseMove('A payment', paymentMoves, from.paymentStatus, wanted.paymentStatus) ??
    refuseMove('An approval', approvalMoves, from.adminApproval, wanted.adminApproval);
  if (refusal !== null) return { ok: false, reason: refusal };
  if (!isPossible(wanted)) {
    return {
      ok: false,
      reason: `An order whose approval is ${wanted.adminApproval} cannot be ${wanted.orderStatus}`,
    };
  }
  const isBeginningPayment = from.paymentStatus === 'PENDING' && isPaid(wanted.paymentStatus);
  if (isBeginningPayment && wanted.orderStatus === 'CANCELLED') {
    return { ok: false, reason: 'A cancelled order is not paid for any more' };
  }
  return { ok: true, state: wanted };
}

function withConsequences(from: OrderState, asked: Partial<OrderState>): OrderState {
  const wanted = { ...from, ...asked };
  if (asked.adminApproval === 'REJECTED' && asked.orderStatus === undefined) {
    return { ...wanted, orderStatus: 'CANCELLED' };
  }
  const isWorkedOn = wanted.orderStatus !== 'PENDING' && wanted.orderStatus !== 'CANCELLED';
  if (isWorkedOn && asked.adminApproval === undefined && from.adminApproval === 'PENDING') {
    return { ...wanted, adminApproval: 'VERIFIED' };
  }
  return wanted;
}

function refuseMove<Status extends string>(
  what: string,
  moves: Moves<Status>,
  before: Status,
  after: Status,
): string | null {
  if (before === after || moves[before].includes(after)) return null;
  return `${what} that is ${before} cannot become ${after}`;
}

function isPaid(status: PaymentStatus): boolean {
  return status === 'PROCESSING' || status === 'COMPLETED';
}

/** Whether an order has come to its end. */
export function isOver({ orderStatus }: OrderState): boolean {
  return orderStatus === 'DELIVERED' || orderStatus === 'CANCELLED';
}
