import type { OrderHistoryEntry } from '@keyfront/sdk';
import type { EventReading } from './event-readers.ts';

/** The types of events that the states of an order stand for, in their order. */
export function eventTypesOf(history: readonly OrderHistoryEntry[]): string[] {
  return history.flatMap((state, index) => {
    const earlier = history[index - 1];
    if (!earlier) return ['order.created'];
    const types: string[] = [];
    if (state.adminApproval !== earlier.adminApproval) {
      if (state.adminApproval === 'VERIFIED') types.push('order.approved');
      if (state.adminApproval === 'REJECTED') types.push('order.rejected');
    }
    if (state.orderStatus !== earlier.orderStatus) types.push(`order.${state.orderStatus.toLowerCase()}`);
    if (state.paymentStatus !== earlier.paymentStatus && state.paymentStatus !== 'PENDING')
      types.push(`payment.${state.paymentStatus.toLowerCase()}`);
    return types;
  });
}

/** An order as the service shows it at the end. */
export interface CommittedOrder {
  readonly id: string;
  /** The events that its states stand for, in their order. */
  readonly types: readonly string[];
  /** When its request was sent. Null if the one who sent it did not learn of the order. */
  readonly startedAt: number | null;
}

/** The number of events that a reading must have. */
export function countExpected(orders: readonly CommittedOrder[], { openedAt }: EventReading): number {
  return expectedIn(orders, openedAt).reduce((count, { types }) => count + types.length, 0);
}

/** Compares what readers have seen with what was committed. Returns a sentence for each difference. */
export function compareReadings(
  orders: readonly CommittedOrder[],
  readings: readonly EventReading[],
): string[] {
  const whole = readings.find(({ openedAt }) => openedAt === Number.NEGATIVE_INFINITY);
  if (!whole) throw new Error('No reader has seen the whole trial');
  const order = whole.events.map(({ id }) => id);
  return readings.flatMap(({ name, events, openedAt }) => {
    const problems: string[] = [];
    const ids = events.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) problems.push('saw an event twice');
    if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? '')))
      problems.push('saw events out of order');
    // A late reader sees the end of what the others see.
    if (ids.join() !== order.slice(order.length - ids.length).join())
      problems.push(`saw other events than ${whole.name}`);
    for (const { id, types } of expectedIn(orders, openedAt)) {
      const seen = events.filter(({ orderId }) => orderId === id).map(({ type }) => type);
      if (seen.join() !== types.join())
        problems.push(`saw [${seen.join(', ')}] of order ${id} instead of [${types.join(', ')}]`);
    }
    const known = new Set(orders.map(({ id }) => id));
    const unknown = events.filter(({ orderId }) => !known.has(orderId));
    if (unknown.length > 0) problems.push(`saw ${unknown.length} events of orders that do not exist`);
    return problems.map((problem) => `The reader "${name}" ${problem}`);
  });
}

function expectedIn(orders: readonly CommittedOrder[], openedAt: number | null): CommittedOrder[] {
  if (openedAt === null) return [];
  if (openedAt === Number.NEGATIVE_INFINITY) return [...orders];
  return orders.filter(({ startedAt }) => startedAt !== null && startedAt > openedAt);
}
