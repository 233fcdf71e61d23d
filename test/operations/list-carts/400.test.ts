import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each<[string, string[]]>([
  ...hostilePages.map(([query, issue]): [string, string[]] => [query, [issue]]),
  ['clientId=7', ['clientId must be a UUID']],
  ['clientId=%00', ['clientId must be a UUID']],
  [`search=${'x'.repeat(255)}`, ['search must be shorter than or equal to 254 characters']],
  ['search=a%00b', ['search must not contain NUL or unpaired surrogates']],
  ['search=a&search=b', ['search must not be given more than once']],
  [
    'page=0&take=1001&clientId=y',
    ['page must not be less than 1', 'take must not be greater than 1000', 'clientId must be a UUID'],
  ],
])('rejects %s', async (query, issues) => {
  const reply = await holder.ask('GET', `/dapp/carts?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});
