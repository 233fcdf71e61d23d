import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

it.each<readonly [string, string]>([
  ...hostilePages,
  [`search=${'a'.repeat(255)}`, 'search must be shorter than or equal to 254 characters'],
  ['search=a&search=b', 'search must be a string'],
  ['search=%00', 'search must not contain NUL or unpaired surrogates'],
  [
    'adminApproval=verified',
    'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED',
  ],
  ['adminApproval=%00', 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED'],
  ['isActive=1', 'isActive must be one of the following values: true, false'],
  ['isActive=TRUE', 'isActive must be one of the following values: true, false'],
  ['isKYCVerified=yes', 'isKYCVerified must be one of the following values: true, false'],
  ['tokenId=x', 'tokenId must have the form ^\\d{0,16}$'],
  ['tokenId=-1', 'tokenId must have the form ^\\d{0,16}$'],
  ['tokenId=1.5', 'tokenId must have the form ^\\d{0,16}$'],
  ['tokenId=12345678901234567', 'tokenId must have the form ^\\d{0,16}$'],
])('refuses %s', async (query, sentence) => {
  const reply = await admin.ask('GET', `/admin/clients?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: [sentence],
  });
});

it('names everything that is wrong, at once', async () => {
  const reply = await admin.ask('GET', '/admin/clients?page=0&take=x&isActive=maybe');
  expect(reply.envelope.data).toEqual([
    'page must not be less than 1',
    'take must be an integer number',
    'isActive must be one of the following values: true, false',
  ]);
});
