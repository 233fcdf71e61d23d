import type { ErrorCode } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { insertReadyClient } from '../../support/order-data.ts';
import { openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();
const { tokenId } = holder;

/** Everything that an order would change, of one digital key. */
const stateOf = async (token: number, strainIds: readonly string[]) => ({
  stock: await sql(
    'SELECT strain_id, stock_quantity FROM strain_locations WHERE strain_id = ANY ($1) ORDER BY 1',
    [strainIds],
  ),
  cart: await sql('SELECT * FROM cart_items WHERE token_id = $1 ORDER BY cart_id, strain_id', [token]),
  orders: await sql('SELECT * FROM orders WHERE token_id = $1', [token]),
  lines: await sql('SELECT * FROM order_lines WHERE token_id = $1', [token]),
  history: await sql('SELECT * FROM order_history WHERE token_id = $1', [token]),
  sales: await sql('SELECT * FROM sales WHERE token_id = $1 ORDER BY id', [token]),
  counters: await sql('SELECT * FROM order_counters WHERE token_id = $1', [token]),
  changes: await sql('SELECT * FROM order_counter_changes WHERE token_id = $1', [token]),
});

const codes: readonly [ErrorCode, RegExp][] = [
  ['CLIENT_NOT_ACTIVE', /^Client is not active$/],
  ['CLIENT_NOT_VERIFIED', /^Client is not verified$/],
  ['CLIENT_NOT_APPROVED', /^Client is not approved$/],
  ['CART_EMPTY', /^Cart is empty$/],
  ['STRAIN_NOT_AVAILABLE', / is not available$/],
  ['CURRENCY_MISMATCH', /^The cart holds /],
  ['STOCK_TOO_LOW', / has only \d+ left$/],
  ['ORDER_TOO_LARGE', /more than an invoice can hold$/],
  ['NOT_OWNED', /belongs to another/],
  ['HOLDER_REQUIRED', /^This is for holders/],
];

/** Places an order and expects this refusal, and that nothing has changed. */
async function expectRefusal(
  clientId: string,
  message: string,
  { caller = holder, strainIds = [] }: { caller?: TestCaller; strainIds?: string[] } = {},
): Promise<void> {
  const before = await stateOf(tokenId, strainIds);
  const reply = await caller.ask('POST', '/dapp/orders', { body: { clientId } });
  expect(reply.status).toBe(403);
  const [code] = codes.find(([, pattern]) => pattern.test(message)) ?? [];
  expect(reply.envelope).toEqual({ success: false, statusCode: 403, code, message, data: null });
  expect(await stateOf(tokenId, strainIds)).toEqual(before);
}

describe('rejects the order, and changes nothing, if', () => {
  it.each([
    ['the client is not active', { isActive: false }, 'Client is not active'],
    ['KYC has not verified the client', { isKycVerified: false }, 'Client is not verified'],
    ['nobody has approved the client yet', { adminApproval: 'PENDING' }, 'Client is not approved'],
    ['the client was rejected', { adminApproval: 'REJECTED' }, 'Client is not approved'],
  ])('%s', async (_when, columns, message) => {
    const { id } = await insertClient(sql, tokenId, columns);
    const strain = await insertStrain(sql);
    await insertCart(sql, tokenId, id, [{ strainId: strain.id, quantity: 1 }]);
    await expectRefusal(id, message, { strainIds: [strain.id] });
  });

  it('the cart is missing or empty', async () => {
    const { id } = await insertClient(sql, tokenId);
    await expectRefusal(id, 'Cart is empty');
    await insertCart(sql, tokenId, id, []);
    await expectRefusal(id, 'Cart is empty');
  });

  it('a strain is not available', async () => {
    const { id } = await insertClient(sql, tokenId);
    const [good, gone] = [await insertStrain(sql), await insertStrain(sql, { isAvailable: false })];
    await insertCart(sql, tokenId, id, [
      { strainId: good.id, quantity: 1 },
      { strainId: gone.id, quantity: 1 },
    ]);
    await expectRefusal(id, `${gone.name} is not available`, { strainIds: [good.id, gone.id] });
  });

  it('the cart holds two currencies', async () => {
    const { id } = await insertClient(sql, tokenId);
    const [first, second] = [await insertStrain(sql), await insertStrain(sql, { currency: 'USD' })];
    await insertCart(sql, tokenId, id, [
      { strainId: first.id, quantity: 1 },
      { strainId: second.id, quantity: 1 },
    ]);
    await expectRefusal(
      id,
      `The cart holds EUR and ${second.name} is sold in USD: order them one after the other`,
      { strainIds: [first.id, second.id] },
    );
  });

  it.each([0, 1, 3])('only %d are left', async (stock) => {
    const { id } = await insertClient(sql, tokenId);
    const [good, short] = [await insertStrain(sql), await insertStrain(sql, { stock })];
    await insertCart(sql, tokenId, id, [
      { strainId: good.id, quantity: 1 },
      { strainId: short.id, quantity: stock + 1 },
    ]);
    await expectRefusal(id, `${short.name} has only ${stock} left`, { strainIds: [good.id, short.id] });
  });

  it('the total exceeds the maximum by one cent', async () => {
    const { id } = await insertClient(sql, tokenId);
    const dear = await insertStrain(sql, { price: 9_999_999_999.99, stock: 1000 });
    const cheap = await insertStrain(sql, { price: 1.01, stock: 1000 });
    const cart = await insertCart(sql, tokenId, id, [
      { strainId: dear.id, quantity: 100 },
      { strainId: cheap.id, quantity: 1 },
    ]);
    const strainIds = [dear.id, cheap.id];
    await expectRefusal(id, 'The order amounts to more than an invoice can hold', { strainIds });
    await sql('UPDATE strains SET retail_price = 0.99 WHERE id = $1', [cheap.id]);
    const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
    expect(reply.envelope).toMatchObject({ statusCode: 201, data: { totalAmount: 999_999_999_999.99 } });
    expect(await sql('SELECT FROM cart_items WHERE cart_id = $1', [cart])).toEqual([]);
  });
});

it('checks preconditions in a fixed order', async () => {
  const { id } = await insertClient(sql, tokenId, {
    isActive: false,
    isKycVerified: false,
    adminApproval: 'REJECTED',
  });
  const gone = await insertStrain(sql, { isAvailable: false, stock: 0, price: 9_999_999_999.99 });
  const foreign = await insertStrain(sql, { currency: 'USD', stock: 2 });
  const strainIds = [gone.id, foreign.id];
  const change = (table: string, set: string, subject: string) => () =>
    sql(`UPDATE ${table} SET ${set} WHERE id = $1`, [subject]);
  const changeStock = (stock: number, strainId: string) => () =>
    sql('UPDATE strain_locations SET stock_quantity = $2 WHERE strain_id = $1', [strainId, stock]);
  const steps: [string, () => Promise<unknown>][] = [
    ['Client is not active', change('clients', 'is_active = true', id)],
    ['Client is not verified', change('clients', 'is_kyc_verified = true', id)],
    ['Client is not approved', change('clients', `admin_approval = 'VERIFIED'`, id)],
    [
      'Cart is empty',
      () =>
        insertCart(sql, tokenId, id, [
          { strainId: gone.id, quantity: 1000 },
          { strainId: foreign.id, quantity: 3 },
        ]),
    ],
    [`${gone.name} is not available`, change('strains', 'is_available = true', gone.id)],
    [
      `The cart holds EUR and ${foreign.name} is sold in USD: order them one after the other`,
      change('strains', `currency = 'EUR'`, foreign.id),
    ],
    [`${gone.name} has only 0 left`, changeStock(1000, gone.id)],
    [`${foreign.name} has only 2 left`, changeStock(3, foreign.id)],
    ['The order amounts to more than an invoice can hold', change('strains', 'retail_price = 1', gone.id)],
  ];
  for (const [message, repair] of steps) {
    await expectRefusal(id, message, { strainIds });
    await repair();
  }
  const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
  expect(reply.envelope).toMatchObject({ statusCode: 201, data: { totalAmount: 1030 } });
});

describe('rejects callers without access to the client:', () => {
  it('another holder, and another digital key of the same holder', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId);
    for (const caller of [stranger, stranger.signedIn, sibling]) {
      await expectRefusal(clientId, 'Client belongs to another holder or digital key', {
        caller,
        strainIds: [strainId],
      });
    }
    for (const other of [stranger, sibling]) {
      expect(await sql('SELECT FROM orders WHERE token_id = $1', [other.tokenId])).toEqual([]);
    }
  });

  it('before it checks the client or its cart', async () => {
    const { id } = await insertClient(sql, tokenId, { isActive: false });
    await expectRefusal(id, 'Client belongs to another holder or digital key', { caller: stranger });
  });

  it('an administrator, who has no digital key', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId);
    await expectRefusal(clientId, 'This is for holders of a digital key: sign in as one', {
      caller: admin,
      strainIds: [strainId],
    });
  });
});
