import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

it.each([
  ['take=0', 'take must not be less than 1'],
  ['take=-1', 'take must not be less than 1'],
  ['take=1001', 'take must not be greater than 1000'],
  ['take=1e9', 'take must be an integer number'],
  ['take=1.5', 'take must be an integer number'],
  ['take=1&take=2', 'take must be an integer number'],
  ['limit=1001', 'limit must not be greater than 1000'],
  ['page=0', 'page must not be less than 1'],
  ['page=x', 'page must be an integer number'],
  ['page=', 'page must be an integer number'],
  ['page=2147483648', 'page must not be greater than 2147483647'],
  ['page=9007199254740993', 'page must not be greater than 2147483647'],
  ['page=99999999999999999999', 'page must be an integer number'],
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
