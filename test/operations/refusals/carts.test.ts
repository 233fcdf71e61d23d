import type { CartOfClient, CartPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

describe('addToCart, 400', async () => {
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
});

describe('addToCart, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  type Item = { strainId: string; quantity: number };
  const add = (clientId: string, ...cartItems: Item[]) =>
    holder.ask('POST', '/dapp/carts', { body: { clientId, cartItems } });
  const messageOf = async (clientId: string, ...cartItems: Item[]) => {
    const { envelope } = await add(clientId, ...cartItems);
    expect(envelope).toMatchObject({ success: false, statusCode: 403, data: null });
    return envelope.message;
  };
  const cartOf = async (clientId: string) =>
    dataOf<CartPage>(await holder.ask('GET', `/dapp/carts?clientId=${clientId}`)).clients[0]?.clientCart[0];

  it.each([
    ['another holder', stranger],
    ['another digital key of the same holder', sibling],
  ])('adds nothing to the cart of a client of %s', async (_name, other) => {
    const { id: clientId } = await insertClient(sql, other.tokenId);
    const { id: strainId } = await insertStrain(sql);
    const cartId = await insertCart(sql, other.tokenId, clientId, [{ strainId, quantity: 2 }]);
    expect(await messageOf(clientId, { strainId, quantity: 1 })).toBe(
      'Client belongs to another holder or digital key',
    );
    expect(await sql('SELECT quantity FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
      { quantity: 2 },
    ]);
  });

  it.each([
    ['another holder', stranger],
    ['another digital key of the same holder', sibling],
  ])(
    'opens no cart for a client of %s who has none, whether the strain is there or not',
    async (_name, other) => {
      const { id: clientId } = await insertClient(sql, other.tokenId);
      const { id } = await insertStrain(sql);
      for (const strainId of [id, unknownId]) {
        expect(await messageOf(clientId, { strainId, quantity: 1 })).toBe(
          'Client belongs to another holder or digital key',
        );
      }
      expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
    },
  );

  it('rejects an administrator, who has no digital key', async () => {
    const body = { clientId: unknownId, cartItems: [{ strainId: unknownId, quantity: 1 }] };
    expect((await admin.ask('POST', '/dapp/carts', { body })).envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });

  it('rejects an unavailable strain and adds none of the others', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const offered = await insertStrain(sql);
    const withdrawn = await insertStrain(sql, { isAvailable: false });
    const items = [offered, withdrawn].map(({ id }) => ({ strainId: id, quantity: 1 }));
    expect(await messageOf(clientId, ...items)).toBe(`${withdrawn.name} is not available`);
    expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
  });

  it('rejects a strain in another currency than the cart', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const euro = await insertStrain(sql);
    const dollar = await insertStrain(sql, { currency: 'USD' });
    await add(clientId, { strainId: euro.id, quantity: 1 });
    const issue = `The cart holds EUR and ${dollar.name} is sold in USD`;
    expect(await messageOf(clientId, { strainId: dollar.id, quantity: 1 })).toBe(issue);
    expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 1, currency: 'EUR' });
  });

  it('rejects two currencies in one request', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const euro = await insertStrain(sql);
    const dollar = await insertStrain(sql, { currency: 'USD' });
    const items = [dollar, euro].map(({ id }) => ({ strainId: id, quantity: 1 }));
    expect(await messageOf(clientId, ...items)).toBe(`The cart holds USD and ${euro.name} is sold in EUR`);
  });

  it('accepts another currency once the cart is empty', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const euro = await insertStrain(sql);
    const dollar = await insertStrain(sql, { currency: 'USD' });
    const { id } = dataOf<CartOfClient>(await add(clientId, { strainId: euro.id, quantity: 1 }));
    await holder.ask('DELETE', `/dapp/carts/${id}`);
    const cart = dataOf<CartOfClient>(await add(clientId, { strainId: dollar.id, quantity: 1 }));
    expect(cart).toMatchObject({ id, currency: 'USD', totalQuantity: 1 });
  });

  it('rejects more than 1000 of a strain, in one request and in several', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: strainId, name } = await insertStrain(sql);
    const issue = `A cart holds at most 1000 of ${name}`;
    expect(await messageOf(clientId, { strainId, quantity: 1000 }, { strainId, quantity: 1 })).toBe(issue);
    await add(clientId, { strainId, quantity: 999 });
    expect(await messageOf(clientId, { strainId, quantity: 2 })).toBe(issue);
    expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 999 });
    expect((await add(clientId, { strainId, quantity: 1 })).status).toBe(201);
  });

  it('limits forty concurrent additions to 1000 in total', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: strainId, name } = await insertStrain(sql);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => add(clientId, { strainId, quantity: 30 })),
    );
    const refused = replies.filter(({ status }) => status === 403);
    expect(replies.filter(({ status }) => status === 201).length).toBe(33);
    expect(refused.length).toBe(7);
    for (const { envelope } of refused) expect(envelope.message).toBe(`A cart holds at most 1000 of ${name}`);
    expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 990 });
  });
});

describe('addToCart, 404', async () => {
  const { holder, sql } = await openStorefront();

  const add = async (clientId: string, ...strainIds: string[]) => {
    const cartItems = strainIds.map((strainId) => ({ strainId, quantity: 1 }));
    return (await holder.ask('POST', '/dapp/carts', { body: { clientId, cartItems } })).envelope;
  };

  it('returns 404 for an unknown client', async () => {
    const { id: strainId } = await insertStrain(sql);
    expect(await add(unknownId, strainId)).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Client not found',
      data: null,
    });
  });

  it('returns 404 for an unknown strain, alone or among others, and adds nothing', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: strainId } = await insertStrain(sql);
    const notFound = {
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Strain not found',
      data: null,
    };
    expect(await add(clientId, unknownId)).toEqual(notFound);
    expect(await add(clientId, strainId, unknownId)).toEqual(notFound);
    expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
  });

  it('reports an unknown strain before an unavailable one', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: withdrawn } = await insertStrain(sql, { isAvailable: false });
    expect(await add(clientId, withdrawn, unknownId)).toMatchObject({ statusCode: 404 });
  });
});

describe('deleteFromCart, 400', async () => {
  const { holder, sql } = await openStorefront();
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const cartId = await insertCart(sql, holder.tokenId, clientId, [{ strainId, quantity: 1 }]);

  it.each<[string, string[]]>([
    ['7', ['cartId must be a UUID']],
    ['%00', ['cartId must be a UUID']],
    ['__proto__', ['cartId must be a UUID']],
    [`${cartId}?strainId=7`, ['strainId must be a UUID']],
    [`${cartId}?strainId=%00`, ['strainId must be a UUID']],
    // Not taken for none, which would empty the cart.
    [`${cartId}?strainId=`, ['strainId should not be empty']],
    [`${cartId}?strainId=${strainId}&strainId=${strainId}`, ['strainId must not be given more than once']],
    ['x?strainId=y', ['cartId must be a UUID', 'strainId must be a UUID']],
  ])('rejects %s and takes nothing out', async (path, issues) => {
    const reply = await holder.ask('DELETE', `/dapp/carts/${path}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
    expect(await sql('SELECT quantity FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
      { quantity: 1 },
    ]);
  });
});

describe('deleteFromCart, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  it.each([
    ['another holder', stranger],
    ['another digital key of the same holder', sibling],
  ])('takes nothing out of a cart of %s', async (_name, other) => {
    const { id: clientId } = await insertClient(sql, other.tokenId);
    const { id: strainId } = await insertStrain(sql);
    const cartId = await insertCart(sql, other.tokenId, clientId, [{ strainId, quantity: 2 }]);
    for (const query of ['', `?strainId=${strainId}`, `?strainId=${unknownId}`]) {
      const reply = await holder.ask('DELETE', `/dapp/carts/${cartId}${query}`);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 403,
        code: 'NOT_OWNED',
        message: 'Cart belongs to another holder or digital key',
        data: null,
      });
    }
    expect(await sql('SELECT quantity FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
      { quantity: 2 },
    ]);
  });

  it('rejects an administrator, who has no digital key', async () => {
    expect((await admin.ask('DELETE', `/dapp/carts/${unknownId}`)).envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('deleteFromCart, 404', async () => {
  const { holder, sql } = await openStorefront();

  it('returns 404 for an unknown cart', async () => {
    expect((await holder.ask('DELETE', `/dapp/carts/${unknownId}`)).envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Cart not found',
      data: null,
    });
  });

  it('returns 404 for a strain that is not in the cart, and removes nothing', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const [held, other] = [await insertStrain(sql), await insertStrain(sql)];
    const cartId = await insertCart(sql, holder.tokenId, clientId, [{ strainId: held.id, quantity: 1 }]);
    for (const strainId of [other.id, unknownId]) {
      expect((await holder.ask('DELETE', `/dapp/carts/${cartId}?strainId=${strainId}`)).envelope).toEqual({
        success: false,
        statusCode: 404,
        code: 'RESOURCE_NOT_FOUND',
        message: 'Strain is not in the cart',
        data: null,
      });
    }
    expect(await sql('SELECT strain_id FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
      { strain_id: held.id },
    ]);
  });
});

describe('listCarts, 400', () => {
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
});
