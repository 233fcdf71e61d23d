import type { Approval, KycStatus, OrderStatus, PaymentStatus } from '@keyfront/protocol';

/** Who changes a state: the holder of the digital key, an administrator, or a provider in a callback. */
export const actors = ['HOLDER', 'ADMINISTRATOR', 'PROVIDER'] as const;
export type TransitionActor = (typeof actors)[number];

/** For each state, those that may follow it. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

type TransitionsByActor<Status extends string> = Readonly<Record<TransitionActor, Transitions<Status>>>;

/*
 * Every transition of an order, its payment, its approval and the identity check of a client. The diagrams in the guides
 * show the same, and tests compare them.
 */

export const orderTransitions: TransitionsByActor<OrderStatus> = {
  HOLDER: { PENDING: ['CANCELLED'], PROCESSING: [], SHIPPED: [], DELIVERED: [], CANCELLED: [] },
  ADMINISTRATOR: {
    PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
    PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
    // A shipped order cannot be cancelled, because its goods are not in stock.
    SHIPPED: ['DELIVERED'],
    DELIVERED: [],
    CANCELLED: [],
  },
  PROVIDER: { PENDING: [], PROCESSING: [], SHIPPED: [], DELIVERED: [], CANCELLED: [] },
};

const paymentProgress: Transitions<PaymentStatus> = {
  PENDING: ['PROCESSING', 'PAID', 'FAILED'],
  PROCESSING: ['PAID', 'FAILED'],
  PAID: ['REFUNDED'],
  FAILED: [],
  REFUNDED: [],
};

export const paymentTransitions: TransitionsByActor<PaymentStatus> = {
  // A new checkout lets the customer try again. It is the only way back.
  HOLDER: { PENDING: [], PROCESSING: [], PAID: [], FAILED: ['PENDING'], REFUNDED: [] },
  ADMINISTRATOR: paymentProgress,
  PROVIDER: paymentProgress,
};

export const approvalTransitions: TransitionsByActor<Approval> = {
  HOLDER: { PENDING: [], VERIFIED: [], REJECTED: [] },
  ADMINISTRATOR: { PENDING: ['VERIFIED', 'REJECTED'], VERIFIED: ['REJECTED'], REJECTED: [] },
  PROVIDER: { PENDING: [], VERIFIED: [], REJECTED: [] },
};

export const kycTransitions: TransitionsByActor<KycStatus> = {
  // A new link starts the check again. It does not take a verification back.
  HOLDER: { PENDING: [], PROCESSING: ['PENDING'], VERIFIED: [], REJECTED: ['PENDING'] },
  ADMINISTRATOR: {
    PENDING: ['VERIFIED'],
    PROCESSING: ['VERIFIED'],
    VERIFIED: ['PENDING'],
    REJECTED: ['VERIFIED'],
  },
  PROVIDER: {
    PENDING: ['PROCESSING', 'VERIFIED', 'REJECTED'],
    PROCESSING: ['VERIFIED', 'REJECTED'],
    // A document may turn out to be forged later.
    VERIFIED: ['REJECTED'],
    // A rejection is final for its link. A new link starts again.
    REJECTED: [],
  },
};

/** Why a state may not become another one; null if it may. Staying is a no-op. `what` begins the sentence. */
export function explainTransition<Status extends string>(
  what: string,
  transitions: Transitions<Status>,
  before: Status,
  after: Status,
): string | null {
  if (before === after || transitions[before].includes(after)) return null;
  return `${what} that is ${before} cannot become ${after}`;
}
