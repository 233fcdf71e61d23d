import { hourMs } from '../../lib/utc-days.ts';
import type { OrderRow } from './demo-data.ts';
import type { Random } from './random.ts';

/** The state of an order and when it was reached. */
interface OrderOutcome
  extends Pick<OrderRow, 'orderStatus' | 'paymentStatus' | 'adminApproval' | 'rejectionNote'> {
  /** The time between creation and this state. */
  readonly afterMs: number;
  readonly returnsStock: boolean;
}

type Ending = 'refunded' | 'failed' | 'unpaid' | 'rejected and refunded' | 'rejected unpaid';

const endings: readonly Ending[] = [
  ...repeat(6, 'refunded'),
  ...repeat(5, 'failed'),
  ...repeat(2, 'unpaid'),
  ...repeat(3, 'rejected and refunded'),
  ...repeat(3, 'rejected unpaid'),
];

const rejectionNotes = [
  'The amount is above what the prescription allows for this month.',
  'The prescription does not cover one of the strains.',
  'The delivery address is a parcel locker, which is not permitted.',
  'The same order had been placed an hour before.',
];

// Indexes from the newest order. Indexes instead of ages guarantee that every state occurs on every day.
const pendingUpTo = 8;
const processingUpTo = 20;
const shippedUpTo = 36;

/** Plans the outcome of each order, newest first. */
export function planOrderOutcomes(random: Random, count: number): OrderOutcome[] {
  const places = Array.from({ length: count }, (_, place) => place);
  const ended = new Map(
    random
      .shuffle(places.slice(pendingUpTo))
      .slice(0, endings.length)
      .map((place, index) => [place, endings[index]]),
  );
  return places.map((place) => {
    const ending = ended.get(place);
    return ending ? makeCancelledOutcome(random, ending) : makeOpenOutcome(random, place);
  });
}

function makeOpenOutcome(random: Random, place: number): OrderOutcome {
  if (place < pendingUpTo) {
    const isPaying = place % 4 === 3;
    return {
      orderStatus: 'PENDING',
      paymentStatus: isPaying ? 'PROCESSING' : 'PENDING',
      adminApproval: 'PENDING',
      rejectionNote: null,
      afterMs: isPaying ? random.integer(60_000, hourMs) : 0,
      returnsStock: false,
    };
  }
  const approved = { adminApproval: 'VERIFIED', rejectionNote: null, returnsStock: false } as const;
  if (place < processingUpTo) {
    const paymentStatus = random.chance(0.3) ? 'PROCESSING' : 'PAID';
    return { ...approved, orderStatus: 'PROCESSING', paymentStatus, afterMs: pickDelayMs(random, 3, 30) };
  }
  if (place < shippedUpTo) {
    return {
      ...approved,
      orderStatus: 'SHIPPED',
      paymentStatus: 'PAID',
      afterMs: pickDelayMs(random, 20, 60),
    };
  }
  return {
    ...approved,
    orderStatus: 'DELIVERED',
    paymentStatus: 'PAID',
    afterMs: pickDelayMs(random, 50, 150),
  };
}

function makeCancelledOutcome(random: Random, ending: Ending): OrderOutcome {
  const isRejected = ending === 'rejected and refunded' || ending === 'rejected unpaid';
  const isRefunded = ending === 'refunded' || ending === 'rejected and refunded';
  return {
    orderStatus: 'CANCELLED',
    paymentStatus: isRefunded ? 'REFUNDED' : ending === 'failed' ? 'FAILED' : 'PENDING',
    adminApproval: isRejected ? 'REJECTED' : isRefunded ? 'VERIFIED' : 'PENDING',
    rejectionNote: isRejected ? random.pick(rejectionNotes) : null,
    afterMs: pickDelayMs(random, 4, 70),
    returnsStock: true,
  };
}

function pickDelayMs(random: Random, least: number, most: number): number {
  return random.integer(least * hourMs, most * hourMs);
}

function repeat(count: number, ending: Ending): Ending[] {
  return Array.from({ length: count }, () => ending);
}
