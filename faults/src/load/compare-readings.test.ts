import { expect, it } from 'vitest';
import { compareReadings, countExpected, eventTypesOf } from './compare-readings.ts';
import type { EventReading, SeenEvent } from './event-readers.ts';

const pending = { orderStatus: 'PENDING', paymentStatus: 'PENDING', adminApproval: 'PENDING' } as const;
const at = { rejectionNote: null, changedAt: '2026-11-15T09:30:00.000Z', author: 'HOLDER' } as const;

it('tells which events the states of an order stand for', () => {
  const approved = { ...pending, adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' } as const;
  const failed = { ...approved, paymentStatus: 'FAILED' } as const;
  const states = [pending, approved, failed, { ...failed, paymentStatus: 'PENDING' } as const];
  expect(eventTypesOf(states.map((state) => ({ ...state, ...at })))).toEqual([
    'order.created',
    'order.approved',
    'order.processing',
    'payment.failed',
  ]);
});

const orders = [
  { id: 'first', types: ['order.created', 'order.approved'], startedAt: 1 },
  { id: 'second', types: ['order.created'], startedAt: 5 },
  { id: 'found', types: ['order.created'], startedAt: null },
];
const see = (id: string, orderId: string, type = 'order.created'): SeenEvent => ({ id, orderId, type });
const all = [see('a', 'first'), see('b', 'found'), see('c', 'first', 'order.approved'), see('d', 'second')];
const whole: EventReading = { name: 'whole', events: all, openedAt: Number.NEGATIVE_INFINITY };
const compare = (events: SeenEvent[], openedAt = Number.NEGATIVE_INFINITY) =>
  compareReadings(orders, [whole, { name: 'other', events, openedAt }]);

it('accepts readers that have seen everything since they began', () => {
  expect(compare(all)).toEqual([]);
  expect(compare(all.slice(2), 3)).toEqual([]);
  expect(countExpected(orders, whole)).toBe(4);
  expect(countExpected(orders, { ...whole, openedAt: 3 })).toBe(1);
  expect(countExpected(orders, { ...whole, openedAt: null })).toBe(0);
});

it.each([
  ['one that is missing', [all[0], all[1], all[2]], 'instead of [order.created]'],
  ['one that came twice', [...all, all[3]], 'saw an event twice'],
  ['another order of events', [all[1], all[0], all[2], all[3]], 'saw events out of order'],
  ['one of no order', [...all, see('e', 'nobody')], 'saw 1 events of orders that do not exist'],
])('reports %s', (_, events, problem) => {
  expect(compare(events as SeenEvent[]).join()).toContain(problem);
});

it('reports what a late reader has missed at its beginning', () => {
  expect(compare([], 3)).toEqual(['The reader "other" saw [] of order second instead of [order.created]']);
  expect(compare([all[1] as SeenEvent, all[3] as SeenEvent], 3)).toEqual([
    'The reader "other" saw other events than whole',
  ]);
});
