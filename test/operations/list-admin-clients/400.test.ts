import { expect, it } from 'vitest';
import { hostileClientQueries, hostileTokenIds } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

it.each([
  ...hostileClientQueries,
  ...hostileTokenIds.map(([tokenId, issue]) => [`tokenId=${tokenId}`, issue] as const),
])('rejects %s', async (query, issue) => {
  const reply = await admin.ask('GET', `/admin/clients?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: [issue],
  });
});

it('reports all validation issues at once', async () => {
  const reply = await admin.ask('GET', '/admin/clients?page=0&take=x&isActive=maybe');
  expect(reply.envelope.data).toEqual([
    'page must not be less than 1',
    'take must be an integer number',
    'isActive must be one of the following values: true, false',
  ]);
});
