import { expect, it } from 'vitest';
import { describeChanges, firstStates } from './describe-changes.ts';

it('names what has changed, and nothing else', () => {
  expect(describeChanges(firstStates, firstStates)).toEqual([]);
  const shipped = { orderStatus: 'SHIPPED', paymentStatus: 'PAID', adminApproval: 'VERIFIED' } as const;
  expect(describeChanges(firstStates, shipped)).toEqual(['Approved', 'Order shipped', 'Paid']);
  expect(describeChanges(shipped, { ...shipped, orderStatus: 'DELIVERED' })).toEqual(['Order delivered']);
});
