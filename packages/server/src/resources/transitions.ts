import type { KycStatus } from '@keyfront/protocol';

/** Who changes a state: the holder of the digital key, an administrator, or the provider in a callback. */
export type Actor = 'HOLDER' | 'ADMINISTRATOR' | 'PROVIDER';

/** For each state, those that may follow it. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** The transitions of an identity check. The picture in docs/guides/payments-and-kyc.md shows the same. */
export const kycTransitions: Readonly<Record<Actor, Transitions<KycStatus>>> = {
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

/** Whether a state may become another one. Staying is always allowed, and is a no-op. */
export function mayFollow<Status extends string>(
  transitions: Transitions<Status>,
  before: Status,
  after: Status,
): boolean {
  return before === after || transitions[before].includes(after);
}

/** Why a state may not become another one. `what` begins the sentence. Null if it may. */
export function explainTransition<Status extends string>(
  what: string,
  transitions: Transitions<Status>,
  before: Status,
  after: Status,
): string | null {
  return mayFollow(transitions, before, after) ? null : `${what} that is ${before} cannot become ${after}`;
}
