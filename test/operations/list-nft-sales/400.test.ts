import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const tokenId = 'tokenId must be an integer number';
const seller = 'seller must be an Ethereum address';
const state = 'state must be one of the following values: DRAFT, LISTED, CANCELLED, SOLD';

const queries: typeof hostilePages = [
  ...hostilePages,
  ['tokenId=x', tokenId],
  ['tokenId=-1', 'tokenId must not be less than 0'],
  ['tokenId=1.5', tokenId],
  ['tokenId=1e3', tokenId],
  ['tokenId=99999999999999999', 'tokenId must not be greater than 9999999999999999'],
  ['tokenId=%00', tokenId],
  ['tokenId=1&tokenId=2', 'tokenId must not be given more than once'],
  ['seller=0x12', seller],
  [`seller=${'ad'.repeat(20)}`, seller],
  [`seller=0X${'ad'.repeat(20)}`, seller],
  [`seller=0x${'ad'.repeat(20)}%00`, seller],
  ['seller=%ED%A0%80', seller],
  ['state=OPEN', state],
  ['state=draft', state],
  ['state=%00', state],
  ['state=DRAFT&state=SOLD', 'state must not be given more than once'],
];

it.each(queries)('rejects %s', async (query, issue) => {
  const reply = await holder.ask('GET', `/marketplace/nfts/sale?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: [issue],
  });
});

it('reports all validation issues at once', async () => {
  const reply = await holder.ask('GET', '/marketplace/nfts/sale?page=0&tokenId=x&seller=y&state=z');
  expect(reply.envelope.data).toEqual(['page must not be less than 1', tokenId, seller, state]);
});
