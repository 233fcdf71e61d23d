import { expect, it } from 'vitest';
import { approvalNames, orderNames, paymentNames } from '../../format/state-names.ts';
import { summariseOrder } from './order-state.ts';

const keysOf = <Name extends string>(names: Readonly<Record<Name, string>>) => Object.keys(names) as Name[];
const approvals = keysOf(approvalNames);

/** The state for each approval (pending, approved, rejected), by the order and its payment, without a refund that is due. */
const table = `
  PENDING    PENDING     To approve         | To pay             | Rejected
  PENDING    PROCESSING  To approve         | Payment under way  | Rejected
  PENDING    PAID        To approve         | To ship            | Rejected
  PENDING    FAILED      To approve         | Payment failed     | Rejected
  PENDING    REFUNDED    Refunded           | Refunded           | Rejected
  PROCESSING PENDING     To approve         | To pay             | Rejected
  PROCESSING PROCESSING  To approve         | Payment under way  | Rejected
  PROCESSING PAID        To approve         | To ship            | Rejected
  PROCESSING FAILED      To approve         | Payment failed     | Rejected
  PROCESSING REFUNDED    Refunded           | Refunded           | Rejected
  SHIPPED    PENDING     Sent, unpaid       | Sent, unpaid       | Rejected
  SHIPPED    PROCESSING  Sent, unpaid       | Sent, unpaid       | Rejected
  SHIPPED    PAID        Sent               | Sent               | Rejected
  SHIPPED    FAILED      Sent, unpaid       | Sent, unpaid       | Rejected
  SHIPPED    REFUNDED    Refunded           | Refunded           | Rejected
  DELIVERED  PENDING     Delivered, unpaid  | Delivered, unpaid  | Rejected
  DELIVERED  PROCESSING  Delivered, unpaid  | Delivered, unpaid  | Rejected
  DELIVERED  PAID        Delivered          | Delivered          | Rejected
  DELIVERED  FAILED      Delivered, unpaid  | Delivered, unpaid  | Rejected
  DELIVERED  REFUNDED    Refunded           | Refunded           | Rejected
  CANCELLED  PENDING     Cancelled          | Cancelled          | Rejected
  CANCELLED  PROCESSING  Cancelled          | Cancelled          | Rejected
  CANCELLED  PAID        Cancelled          | Cancelled          | Rejected
  CANCELLED  FAILED      Cancelled          | Cancelled          | Rejected
  CANCELLED  REFUNDED    Refunded           | Refunded           | Rejected`;

const labelOf = (...input: Parameters<typeof summariseOrder>) => summariseOrder(...input).label;

it('has one state for every combination of the three', () => {
  const rows = keysOf(orderNames).flatMap((orderStatus) =>
    keysOf(paymentNames).map((paymentStatus) => {
      const labels = approvals.map((adminApproval) =>
        labelOf({ orderStatus, paymentStatus, adminApproval, refundDue: 0 }),
      );
      return `${orderStatus} ${paymentStatus} ${labels.join(' | ')}`;
    }),
  );
  expect(rows).toEqual(
    table
      .trim()
      .split('\n')
      .map((row) => row.trim().replaceAll(/ +/g, ' ')),
  );
});

it('tells of money that is owed before anything else', () => {
  for (const orderStatus of keysOf(orderNames))
    for (const paymentStatus of keysOf(paymentNames))
      for (const adminApproval of approvals)
        expect(labelOf({ orderStatus, paymentStatus, adminApproval, refundDue: 0.01 })).toBe('Refund due');
});

it('knows that a part was sent where the parcels are known', () => {
  const order = {
    orderStatus: 'PROCESSING',
    paymentStatus: 'PAID',
    adminApproval: 'VERIFIED',
    refundDue: 0,
  } as const;
  expect(labelOf(order, 1)).toBe('Part sent');
  expect(labelOf({ ...order, paymentStatus: 'PENDING' }, 1)).toBe('Part sent, unpaid');
  expect(labelOf({ ...order, orderStatus: 'SHIPPED' }, 2)).toBe('Sent');
  expect(labelOf({ ...order, orderStatus: 'CANCELLED' }, 1)).toBe('Cancelled');
});
