import { approvalNames, orderNames, paymentNames } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-audit.ts';

/** The fields whose values are states, with the names of the states. */
const stateNames: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['orderStatus', new Map(Object.entries(orderNames))],
  ['paymentStatus', new Map(Object.entries(paymentNames))],
  ['adminApproval', new Map(Object.entries(approvalNames))],
]);

const labels: ReadonlyMap<string, string> = new Map([
  ['orderStatus', 'Order'],
  ['paymentStatus', 'Payment'],
  ['adminApproval', 'Approval'],
  ['isKYCVerified', texts.identityVerified],
  ['isActive', 'Active'],
  ['rejectionNote', 'Note'],
  ['thc', 'THC'],
  ['cbd', 'CBD'],
]);

/** The name of a changed field, as other pages have it, or else its words. */
export function describeField(field: string): string {
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return labels.get(field) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The value of a field before or after a change. */
export function describeValue(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value !== 'string') return JSON.stringify(value);
  return stateNames.get(field)?.get(value) ?? value;
}
