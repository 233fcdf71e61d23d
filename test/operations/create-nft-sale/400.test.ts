import { expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();
const { tokenId } = holder;

const form = 'price must be a decimal number with at most 18 decimals, such as 1.5';
const currencies = 'currency must be one of the following values: ETH';

async function listIssues(body: unknown): Promise<unknown> {
  const reply = await holder.ask('POST', '/marketplace/nfts/sale', { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

it.each<[string, unknown, string[]]>([
  ['no body', undefined, ['tokenId is required', 'price is required']],
  ['no token id', { price: '1' }, ['tokenId is required']],
  ['no price', { tokenId }, ['price is required']],
  ['a token id that is text', { tokenId: '1', price: '1' }, ['tokenId must be an integer number']],
  ['a token id of null', { tokenId: null, price: '1' }, ['tokenId must be an integer number']],
  ['half a token id', { tokenId: 1.5, price: '1' }, ['tokenId must be an integer number']],
  ['a token id below zero', { tokenId: -1, price: '1' }, ['tokenId must not be less than 0']],
  [
    'a token id that JSON cannot carry',
    `{"tokenId":9007199254740993,"price":"1"}`,
    ['tokenId must not be greater than 9007199254740991'],
  ],
  ['a price that is a number', { tokenId, price: 1.5 }, ['price must be a string']],
  ['an empty price', { tokenId, price: '' }, ['price should not be empty']],
  ['a price of null', { tokenId, price: null }, ['price must be a string']],
  ['a price in words', { tokenId, price: 'one' }, [form]],
  ['a price below zero', { tokenId, price: '-1' }, ['price must not be less than 0']],
  ['a price with a plus', { tokenId, price: '+1' }, [form]],
  ['a price with an exponent', { tokenId, price: '1e3' }, [form]],
  ['a price with a comma', { tokenId, price: '1,5' }, [form]],
  ['a price that begins with a point', { tokenId, price: '.5' }, [form]],
  ['a price that ends with a point', { tokenId, price: '1.' }, [form]],
  ['a price that begins with a zero', { tokenId, price: '01' }, [form]],
  ['a price with a line end', { tokenId, price: '1\n' }, [form]],
  ['a price of 19 decimals', { tokenId, price: `0.${'0'.repeat(18)}1` }, [form]],
  [
    'a price of 19 digits',
    { tokenId, price: `1${'0'.repeat(18)}` },
    ['price must not be greater than 999999999999999999.999999999999999999'],
  ],
  [
    'NUL in the price',
    `{"tokenId":${tokenId},"price":"1\\u0000"}`,
    ['price must not contain NUL or unpaired surrogates'],
  ],
  ['a price of nothing', { tokenId, price: '0' }, ['price must be greater than 0']],
  ['a price of nothing in many digits', { tokenId, price: '0.000' }, ['price must be greater than 0']],
  ['another currency', { tokenId, price: '1', currency: 'EUR' }, [currencies]],
  ['an empty currency', { tokenId, price: '1', currency: '' }, [currencies]],
  ['a currency in small letters', { tokenId, price: '1', currency: 'eth' }, [currencies]],
  [
    'several faults at once',
    { tokenId: 'x', price: 'y', currency: 'z' },
    ['tokenId must be an integer number', form, currencies],
  ],
])('rejects %s', async (_name, body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each(hostileBodies)('rejects %s', async (_name, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects a body of 10 MB with 413', async () => {
  const reply = await holder.ask('POST', '/marketplace/nfts/sale', { body: tooLargeBody });
  expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
});

it('created no sale in the tests above', async () => {
  await listIssues({ tokenId, price: '0' });
  expect(await sql('SELECT FROM nft_sales WHERE token_id = $1', [tokenId])).toEqual([]);
});
