import { nftListingSorts } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const price = 'must be a decimal number with at most 18 decimals, such as 1.5';
const orderBy = `orderBy must be one of the following values: ${nftListingSorts.join(', ')}`;

const queries: typeof hostilePages = [
  ...hostilePages,
  ['tokenId=x', 'tokenId must be an integer number'],
  ['tokenId=1&tokenId=2', 'tokenId must not be given more than once'],
  ['seller=0x12', 'seller must be an Ethereum address'],
  ['planet=%00', 'planet must not contain NUL or unpaired surrogates'],
  [`planet=${'x'.repeat(101)}`, 'planet must be shorter than or equal to 100 characters'],
  ['minPrice=1e3', `minPrice ${price}`],
  ['minPrice=-1', 'minPrice must not be less than 0'],
  ['maxPrice=1,5', `maxPrice ${price}`],
  [`maxPrice=1${'0'.repeat(18)}`, 'maxPrice must not be greater than 999999999999999999.999999999999999999'],
  ['orderBy=seller', orderBy],
  ['orderBy=price:up', orderBy],
];

it.each(queries)('rejects %s', async (query, issue) => {
  const reply = await holder.ask('GET', `/marketplace/nfts/listings?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: [issue],
  });
});
