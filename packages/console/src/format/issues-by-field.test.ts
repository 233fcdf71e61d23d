import { ValidationError } from '@keyfront/sdk';
import { describe, expect, it } from 'vitest';
import { issuesByField } from './issues-by-field.ts';

const refusal = (...issues: string[]) => Object.assign(Object.create(ValidationError.prototype), { issues });

describe('the issues of a form', () => {
  it('stand at their fields', () => {
    const { byField, hasOthers } = issuesByField(
      refusal('url must be an address', 'url must be shorter', 'shipping.city must be a text'),
      ['url', 'shipping.city'],
    );
    expect([...byField]).toEqual([
      ['url', 'Must be an address'],
      ['shipping.city', 'Must be a text'],
    ]);
    expect(hasOthers).toBe(false);
  });

  it('stand at the field that they are inside of', () => {
    const { byField, hasOthers } = issuesByField(refusal('eventTypes.1 must be a type'), [
      'url',
      'eventTypes',
    ]);
    expect(byField.get('eventTypes')).toBe('Entry 2 must be a type');
    expect(hasOthers).toBe(false);
  });

  it('are never without a place', () => {
    expect(issuesByField(refusal('shippings.0 must be short'), ['url']).hasOthers).toBe(true);
    expect(issuesByField(new Error('The service cannot be reached'), ['url']).hasOthers).toBe(true);
    expect(issuesByField(null, ['url']).hasOthers).toBe(false);
  });
});
