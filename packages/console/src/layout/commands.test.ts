import type { AdminOrder } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { findPages, orderCommands, readRequest } from './commands.ts';

it('reads what is to be done, and with what', () => {
  expect(readRequest(' Refund order KF-1 ')).toEqual({ verb: 'refund', search: 'KF-1' });
  expect(readRequest('approve KF-1')).toEqual({ verb: 'approve', search: 'KF-1' });
  expect(readRequest('open order KF-1')).toEqual({ verb: 'open', search: 'KF-1' });
  for (const text of ['refund', 'refunds due', 'KF-1', 'opening'])
    expect(readRequest(text)).toEqual({ verb: null, search: text });
});

it('has the forms of a role', () => {
  expect(findPages('holder', 'create k').map(({ label }) => label)).toEqual(['Create key']);
  expect(findPages('administrator', 'create k')).toEqual([]);
});

it('offers of an order what the service allows', () => {
  const order = {
    id: 'o',
    invoiceNumber: 'KF-1',
    client: { firstName: 'Ada', lastName: 'Lovelace' },
    adminApproval: 'PENDING',
    orderStatus: 'PENDING',
    paymentStatus: 'PAID',
    paidAmount: 10,
    refundedAmount: 0,
  } as AdminOrder;
  const labels = (changed: Partial<AdminOrder>, verb: Parameters<typeof orderCommands>[1]) =>
    orderCommands({ ...order, ...changed }, verb).map(({ label }) => label);
  expect(labels({}, 'all')).toEqual(['KF-1', 'Approve KF-1…', 'Refund KF-1…']);
  expect(labels({}, 'refund')).toEqual(['Refund KF-1…']);
  expect(labels({ refundedAmount: 10 }, 'refund')).toEqual([]);
  expect(labels({ paymentStatus: 'PENDING' }, 'refund')).toEqual([]);
  expect(labels({ orderStatus: 'CANCELLED' }, 'approve')).toEqual([]);
  expect(labels({ adminApproval: 'VERIFIED' }, 'approve')).toEqual([]);
});
