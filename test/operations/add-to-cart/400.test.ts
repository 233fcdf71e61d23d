import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();
const { id: clientId } = await insertClient(sql, holder.tokenId);
const { id: strainId } = await insertStrain(sql);
const item = { strainId, quantity: 1 };
const raw = JSON.stringify(item);

it.each<[string, unknown, string[]]>([
  ['no body', undefined, ['cartItems is required']],
  ['no client', { cartItems: [item] }, ['clientId is required']],
  ['an empty client', { clientId: '', cartItems: [item] }, ['clientId should not be empty']],
  ['a client that is a number', { clientId: 7, cartItems: [item] }, ['clientId must be a string']],
  ['no items', { clientId }, ['cartItems is required']],
  ['an empty list of items', { clientId, cartItems: [] }, ['cartItems should not be empty']],
  ['items that are no list', { clientId, cartItems: item }, ['cartItems must be an array']],
  ['items of null', { clientId, cartItems: null }, ['cartItems is required']],
  [
    'more than a hundred entries',
    { clientId, cartItems: Array.from({ length: 101 }, () => item) },
    ['cartItems must have no more than 100 elements'],
  ],
  ['an entry that is no object', { clientId, cartItems: [7] }, ['cartItems.0 must be an object']],
  [
    'an empty entry',
    { clientId, cartItems: [item, {}] },
    ['cartItems.1.strainId is required', 'cartItems.1.quantity is required'],
  ],
  [
    'a strain that is no id',
    { clientId, cartItems: [{ strainId: 'x', quantity: 1 }] },
    ['cartItems.0.strainId must be a UUID'],
  ],
  [
    'a quantity of 0',
    { clientId, cartItems: [{ strainId, quantity: 0 }] },
    ['cartItems.0.quantity must not be less than 1'],
  ],
  [
    'a quantity below 0',
    { clientId, cartItems: [{ strainId, quantity: -1 }] },
    ['cartItems.0.quantity must not be less than 1'],
  ],
  [
    'a quantity above 1000',
    { clientId, cartItems: [{ strainId, quantity: 1001 }] },
    ['cartItems.0.quantity must not be greater than 1000'],
  ],
  [
    'a quantity without end',
    `{"clientId":"${clientId}","cartItems":[{"strainId":"${strainId}","quantity":1e999}]}`,
    ['cartItems.0.quantity must be an integer number'],
  ],
  [
    'a part of a unit',
    { clientId, cartItems: [{ strainId, quantity: 1.5 }] },
    ['cartItems.0.quantity must be an integer number'],
  ],
  [
    'a quantity as text',
    { clientId, cartItems: [{ strainId, quantity: '1' }] },
    ['cartItems.0.quantity must be an integer number'],
  ],
  [
    'NUL in a strain',
    `{"clientId":"${clientId}","cartItems":[{"strainId":"\\u0000","quantity":1}]}`,
    ['cartItems.0.strainId must not contain NUL or unpaired surrogates'],
  ],
  [
    'half a character in the client',
    `{"clientId":"\\ud800","cartItems":[${raw}]}`,
    ['clientId must not contain NUL or unpaired surrogates'],
  ],
  [
    'the name __proto__ in an entry',
    `{"clientId":"${clientId}","cartItems":[{"__proto__":${raw}}]}`,
    ['body must not contain the name __proto__'],
  ],
  [
    'a name twice in an entry',
    `{"clientId":"${clientId}","cartItems":[{"strainId":"${strainId}","quantity":1,"quantity":2}]}`,
    ['body must not contain the name "quantity" twice'],
  ],
  [
    'deep nesting',
    `{"clientId":"${clientId}","cartItems":${'['.repeat(40)}${']'.repeat(40)}}`,
    ['body must not be nested deeper than 32 levels'],
  ],
  [
    'several faults at once',
    { clientId: 'x', cartItems: [{ strainId: 'y', quantity: 0 }] },
    [
      'clientId must be a UUID',
      'cartItems.0.strainId must be a UUID',
      'cartItems.0.quantity must not be less than 1',
    ],
  ],
  [
    'other items under the other name',
    { clientId, cartItems: [item], items: [item, item] },
    ['items must be the same as cartItems'],
  ],
])('rejects %s', async (_name, body, issues) => {
  const reply = await holder.ask('POST', '/dapp/carts', { body });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
  expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
});

it('rejects a body of 10 MB with 413', async () => {
  const reply = await holder.ask('POST', '/dapp/carts', {
    body: { clientId, cartItems: [item], note: 'x'.repeat(10_000_000) },
  });
  expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
});
