import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const type = 'type must be one of the following values: MINT, TRANSFER, LIST, LIST_CANCEL, SALE';

const queries: typeof hostilePages = [
  ...hostilePages,
  ['type=BURN', type],
  ['type=mint', type],
  ['type=%00', type],
  ['type=%ED%A0%80', type],
  ['type=MINT&type=SALE', 'type must not be given more than once'],
];

it.each(queries)('rejects %s', async (query, issue) => {
  const reply = await holder.ask('GET', `/marketplace/transactions/user?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: [issue],
  });
});

it('reports all validation issues at once', async () => {
  const reply = await holder.ask('GET', '/marketplace/transactions/user?page=0&take=1001&type=x');
  expect(reply.envelope.data).toEqual([
    'page must not be less than 1',
    'take must not be greater than 1000',
    type,
  ]);
});
