import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

it.each<[string, string[]]>([
  ['7/history', ['saleId must be a UUID']],
  ['%00/history', ['saleId must be a UUID']],
  ['__proto__/history', ['saleId must be a UUID']],
  [`${unknownId}/history?page=0`, ['page must not be less than 1']],
  [`${unknownId}/history?page=9007199254740993`, ['page must not be greater than 2147483647']],
  [`${unknownId}/history?take=1e9`, ['take must be an integer number']],
  [`${unknownId}/history?take=1001`, ['take must not be greater than 1000']],
  [
    '7/history?page=x&limit=0',
    ['saleId must be a UUID', 'page must be an integer number', 'limit must not be less than 1'],
  ],
])('rejects %s', async (path, issues) => {
  const reply = await holder.ask('GET', `/dapp/sales/${path}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});
