import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const stages = 'stage must be one of the following values: LEADS, ONGOING, CLOSED';

it.each<[string, string[]]>([
  ...hostilePages.map(([query, issue]): [string, string[]] => [query, [issue]]),
  ['stage=WON', [stages]],
  ['stage=leads', [stages]],
  ['stage=%00', [stages]],
  ['stage=LEADS&stage=CLOSED', ['stage must not be given more than once']],
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
])('rejects %s', async (query, issues) => {
  const reply = await holder.ask('GET', `/dapp/sales?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});
