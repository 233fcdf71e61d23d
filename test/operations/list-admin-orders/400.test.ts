import { expect, it } from 'vitest';
import { hostileOrderQueries, hostileTokenIds } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

it.each([
  ...hostileOrderQueries,
  ...hostileTokenIds.map(([tokenId, issue]) => [`tokenId=${tokenId}`, [issue]] as const),
])('rejects %s', async (query, issues) => {
  const reply = await admin.ask('GET', `/admin/orders?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});
