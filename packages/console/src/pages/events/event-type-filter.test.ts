import { expect, it } from 'vitest';
import { matchesEventType } from './event-type-filter.ts';

it('chooses types by name and by subject', () => {
  expect(matchesEventType('order.created', '')).toBe(true);
  expect(matchesEventType('order.created', 'payment.paid, order.*')).toBe(true);
  expect(matchesEventType('orders.created', 'order.*')).toBe(false);
  expect(matchesEventType('payment.failed', 'payment.paid')).toBe(false);
});
