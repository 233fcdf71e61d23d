import { expect, it } from 'vitest';
import { hostileOrderQueries } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each(hostileOrderQueries)('rejects %s', async (query, issues) => {
  const reply = await holder.ask('GET', `/dapp/orders?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});
