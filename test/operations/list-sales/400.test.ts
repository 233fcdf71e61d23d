import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const stages = 'stage must be one of the following values: LEADS, ONGOING, CLOSED';

it.each<[string, string[]]>([
  ['page=0', ['page must not be less than 1']],
  ['page=-1', ['page must not be less than 1']],
  ['page=x', ['page must be an integer number']],
  ['page=', ['page must be an integer number']],
  ['page=9007199254740993', ['page must not be greater than 2147483647']],
  ['page=1&page=2', ['page must be an integer number']],
  ['take=1e9', ['take must be an integer number']],
  ['take=1.5', ['take must be an integer number']],
  ['take=0', ['take must not be less than 1']],
  ['take=1001', ['take must not be greater than 1000']],
  ['limit=1001', ['limit must not be greater than 1000']],
  ['stage=WON', [stages]],
  ['stage=leads', [stages]],
  ['stage=%00', [stages]],
  ['stage=LEADS&stage=CLOSED', [stages]],
  ['clientId=7', ['clientId must be a UUID']],
  ['clientId=%00', ['clientId must be a UUID']],
  ['orderId=%ED%A0%80', ['orderId must be a UUID']],
  [
    'page=0&take=1001&stage=x&clientId=y&orderId=z',
    [
      'page must not be less than 1',
      'take must not be greater than 1000',
      stages,
      'clientId must be a UUID',
      'orderId must be a UUID',
    ],
  ],
])('refuses %s', async (query, sentences) => {
  const reply = await holder.ask('GET', `/dapp/sales?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: sentences,
  });
});
