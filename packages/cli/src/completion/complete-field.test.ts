import { describe, expect, it } from 'vitest';
import { completeField } from './complete-field.ts';

const complete = (...args: Parameters<typeof completeField>) =>
  completeField(...args).map(({ value }) => value);

describe('completeField', () => {
  it('offers the names of query parameters', () => {
    expect(complete('query', 'GET', '/dapp/orders/chart-data', 'x')).toEqual([
      'startDate=',
      'endDate=',
      'interval=',
      'currency=',
    ]);
  });

  it('offers the values of enumerations', () => {
    expect(complete('query', 'GET', 'dapp/orders/chart-data?a=b', 'interval=')).toEqual([
      'interval=day',
      'interval=week',
      'interval=month',
    ]);
    expect(complete('query', 'GET', '/dapp/orders/chart-data', 'startDate=')).toEqual([]);
  });

  it('offers the fields of a body', () => {
    expect(complete('body', 'POST', '/dapp/orders', '')).toEqual([
      'clientId=',
      'items=',
      'shippingAddress=',
      'note=',
      'externalReference=',
      'metadata=',
      'paymentFlow=',
      'returnUrl=',
    ]);
    expect(complete('body', 'POST', '/dapp/orders', 'paymentFlow=')).toEqual([
      'paymentFlow=INVOICE',
      'paymentFlow=DIRECT',
      'paymentFlow=LINK',
    ]);
    expect(complete('body', 'PATCH', '/admin/orders/42', 'adminApproval=')).toContain(
      'adminApproval=VERIFIED',
    );
  });

  it('offers nothing for an unknown operation', () => {
    expect(complete('query', 'GET', '/x', '')).toEqual([]);
    expect(complete('query', 'GET', undefined, '')).toEqual([]);
    expect(complete('body', 'GET', '/planets', '')).toEqual([]);
  });
});
