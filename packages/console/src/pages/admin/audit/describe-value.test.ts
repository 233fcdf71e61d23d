import { expect, it } from 'vitest';
import { describeField, describeValue } from './describe-value.ts';

it('names fields and states as the other pages do', () => {
  expect([describeField('adminApproval'), describeValue('adminApproval', 'VERIFIED')]).toEqual([
    'Approval',
    'Approved',
  ]);
  expect(describeValue('isActive', false)).toBe('No');
});

it('shows what it has no name for as it is, and fields in words', () => {
  expect(describeField('retailPrice')).toBe('Retail price');
  expect(describeValue('adminApproval', 'constructor')).toBe('constructor');
  expect(describeValue('countryCodes', ['PRT'])).toBe('["PRT"]');
  expect([undefined, null, ''].map((value) => describeValue('note', value))).toEqual(['–', '–', '–']);
});
