import { expect, it } from 'vitest';
import {
  approvalNames,
  nameApproval,
  nameOrder,
  namePayment,
  orderNames,
  paymentNames,
} from './state-names.ts';

it('calls a state by the same word wherever it stands', () => {
  const states = <Name extends string>(names: Readonly<Record<Name, string>>) => Object.keys(names) as Name[];
  for (const state of states(orderNames))
    expect(nameOrder(state).toLowerCase()).toContain(orderNames[state].toLowerCase());
  for (const state of states(paymentNames))
    expect(namePayment(state).toLowerCase()).toContain(paymentNames[state].toLowerCase());
  for (const state of states(approvalNames))
    expect(nameApproval(state).toLowerCase()).toContain(approvalNames[state].toLowerCase());
});

it('says what a state is about where the word alone does not', () => {
  expect([nameOrder('PENDING'), namePayment('PENDING'), nameApproval('PENDING')]).toEqual([
    'Order pending',
    'Payment pending',
    'Approval pending',
  ]);
  expect([namePayment('PAID'), nameApproval('VERIFIED')]).toEqual(['Paid', 'Approved']);
});
