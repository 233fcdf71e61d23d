import type { Approval, OrderStatus, PaymentStatus } from '@keyfront/protocol';
import { hourMs } from '../values/days.ts';
import type { Random } from '../values/random.ts';
import notes from './notes.json' with { type: 'json' };

/** The state of an order and when it was reached. */
interface OrderOutcome {
  readonly orderStatus: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly adminApproval: Approval;
  readonly rejectionNote: string | null;
  /** The time between creation and this state. */
  readonly afterMs: number;
}

type Ending = Pick<OrderOutcome, 'paymentStatus' | 'adminApproval'>;

/** How the cancelled orders ended. */
const endings: readonly Ending[] = [
  ...Array<Ending>(6).fill({ paymentStatus: 'REFUNDED', adminApproval: 'VERIFIED' }),
  ...Array<Ending>(5).fill({ paymentStatus: 'FAILED', adminApproval: 'PENDING' }),
  ...Array<Ending>(2).fill({ paymentStatus: 'PENDING', adminApproval: 'PENDING' }),
  ...Array<Ending>(3).fill({ paymentStatus: 'REFUNDED', adminApproval: 'REJECTED' }),
  ...Array<Ending>(3).fill({ paymentStatus: 'PENDING', adminApproval: 'REJECTED' }),
];

// Indexes from the newest order. Indexes instead of ages guarantee that every state occurs on every day.
const pendingUpTo = 8;
const processingUpTo = 20;
const shippedUpTo = 36;

/** Plans the outcome of each order, newest first. */
export function planOrderOutcomes(random: Random, count: number): OrderOutcome[] {
  const places = Array.from({ length: count }, (_, place) => place);
  const cancelled = random.shuffle(places.slice(pendingUpTo)).slice(0, endings.length);
  const pickDelayMs = (minHours: number, maxHours: number) =>
    random.integer(minHours * hourMs, maxHours * hourMs);

  return places.map((place) => {
    const ending = endings[cancelled.indexOf(place)];
    if (ending) {
      const rejectionNote = ending.adminApproval === 'REJECTED' ? random.pick(notes.orderRejections) : null;
      return { orderStatus: 'CANCELLED', ...ending, rejectionNote, afterMs: pickDelayMs(4, 70) };
    }
    if (place < pendingUpTo) {
      const isPaying = place % 4 === 3;
      const paymentStatus = isPaying ? 'PROCESSING' : 'PENDING';
      const afterMs = isPaying ? random.integer(60_000, hourMs) : 0;
      return {
        orderStatus: 'PENDING',
        paymentStatus,
        adminApproval: 'PENDING',
        rejectionNote: null,
        afterMs,
      };
    }
    const approved = { paymentStatus: 'PAID', adminApproval: 'VERIFIED', rejectionNote: null } as const;
    if (place < processingUpTo) {
      const paymentStatus = random.chance(0.3) ? 'PROCESSING' : 'PAID';
      return { orderStatus: 'PROCESSING', ...approved, paymentStatus, afterMs: pickDelayMs(3, 30) };
    }
    return place < shippedUpTo
      ? { orderStatus: 'SHIPPED', ...approved, afterMs: pickDelayMs(20, 60) }
      : { orderStatus: 'DELIVERED', ...approved, afterMs: pickDelayMs(50, 150) };
  });
}
