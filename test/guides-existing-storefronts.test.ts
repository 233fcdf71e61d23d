import { randomUUID } from 'node:crypto';
import type { CartOfClient, CreatedOrder, OrderPage, Strain } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { readCode, readDocument, readTables } from './support/guide-programs.ts';
import { insertOrder } from './support/order-data.ts';
import { dataOf, openStorefront } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';

const guide = readDocument('docs/guides/existing-storefronts.md');
const { holder, sibling, nobody, sql, service } = await openStorefront();
const { tokenId } = holder;
const newClient = () => ({ firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` });

it('begins with what costs orders', () => {
  const [, first] = guide.split(/^## /m);
  expect([...(first ?? '').matchAll(/^\*\*(.+?)\*\*/gm)].map(([, sentence]) => sentence)).toEqual([
    '`success` is a boolean.',
    'Ids are in `data.id`.',
    'Without an `Idempotency-Key`, a second click is a second order.',
  ]);
});

describe('what costs orders', () => {
  it('success is a boolean, also of an error', async () => {
    expect((await holder.ask('GET', '/planets')).envelope.success).toBe(true);
    expect((await nobody.ask('GET', '/planets')).envelope.success).toBe(false);
    expect((await holder.ask('GET', '/dapp/payments')).envelope.success).toBe(false);
  });

  it('the id of a client, a cart and an order is data.id', async () => {
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(dataOf(await holder.ask('POST', '/dapp/clients', { body: newClient() }))).toMatchObject({ id });
    const { id: clientId } = await insertClient(sql, tokenId);
    const items = [{ strainId: (await insertStrain(sql)).id, quantity: 1 }];
    const cart = dataOf<CartOfClient>(await holder.ask('POST', '/dapp/carts', { body: { clientId, items } }));
    expect(dataOf(await holder.ask('GET', `/dapp/carts/${cart.id}`))).toMatchObject({ clientId });
    const order = dataOf<CreatedOrder>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${order.id}`))).toMatchObject({ id: order.id });
  });

  it('a second click is a second order, unless both have the same Idempotency-Key', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const items = [{ strainId: (await insertStrain(sql)).id, quantity: 1 }];
    const click = (headers = {}) =>
      holder.ask('POST', '/dapp/orders', { body: { clientId, items }, headers });
    const idOf = async (headers?: object) => dataOf<CreatedOrder>(await click(headers)).id;
    expect(await idOf()).not.toBe(await idOf());
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await click(key), await click(key)];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const orders = await sql('SELECT FROM orders WHERE client_id = $1', [clientId]);
    expect(orders).toHaveLength(3);
  });
});

describe('what pages get wrong', () => {
  it('images are absolute URLs', async () => {
    const read = async (stored: string | null) => {
      const { id } = await insertStrain(sql);
      await sql('UPDATE strains SET image_url = $2 WHERE id = $1', [id, stored]);
      const strain = dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${id}?countryCode=PRT`));
      return [strain.imageUrl, ...strain.strainImages.map(({ strainImageUrl }) => strainImageUrl)];
    };
    const own = `${service.origin}/images/strains/1.svg`;
    // As the demo stores it, and as administrators give it.
    expect(await read('/images/strains/1.svg')).toEqual([own, own]);
    const other = 'https://images.example/7.png';
    expect(await read(other)).toEqual([other, other]);
    expect(await read(null)).toEqual([null]);
  });

  it('lists have 10 entries, and say whether there are more', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    for (let count = 0; count < 11; count++) await insertOrder(sql, tokenId, clientId);
    for (const [path, length, hasNextPage] of [
      [`/dapp/orders?clientId=${clientId}`, 10, true],
      [`/dapp/orders?clientId=${clientId}&take=11`, 11, false],
      [`/dapp/orders?clientId=${clientId}&take=1000`, 11, false],
      [`/clients/${clientId}/orders`, 11, false],
    ] as const) {
      const { orders, pageMetaDto } = dataOf<OrderPage>(await holder.ask('GET', path));
      expect([path, orders.length, pageMetaDto.hasNextPage]).toEqual([path, length, hasNextPage]);
    }
    expect((await holder.ask('GET', '/dapp/orders?take=1001')).status).toBe(400);
  });

  it('details need countryCode', async () => {
    const { id } = await insertStrain(sql, { price: 10, stock: 5, countryCodes: ['PRT', 'ZAF'] });
    await sql(
      `UPDATE strain_locations SET retail_price = 180, currency = 'ZAR' WHERE strain_id = $1 AND country_code = 'ZAF'`,
      [id],
    );
    const read = async (query: string) =>
      dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${id}${query}`));
    expect(await read('?countryCode=ZAF')).toMatchObject({
      retailPrice: 180,
      currency: 'ZAR',
      stockQuantity: 5,
    });
    expect(await read('')).toMatchObject({ retailPrice: 10, currency: 'EUR', stockQuantity: 10 });
  });

  it('a 403 is a state, and bad credentials are a 401', async () => {
    const items = [{ strainId: (await insertStrain(sql, { stock: 3 })).id, quantity: 4 }];
    const { id: verified } = await insertClient(sql, tokenId);
    const { id: unverified } = await insertClient(sql, tokenId, { isKycVerified: false });
    const { id: foreign } = await insertClient(sql, sibling.tokenId);
    for (const [code, body] of [
      ['CLIENT_NOT_VERIFIED', { clientId: unverified, items }],
      ['CART_EMPTY', { clientId: verified }],
      ['STOCK_TOO_LOW', { clientId: verified, items }],
      ['NOT_OWNED', { clientId: foreign, items }],
    ] as const) {
      expect(guide).toContain(`\`${code}\``);
      const { status, envelope } = await holder.ask('POST', '/dapp/orders', { body });
      expect([status, envelope.code]).toEqual([403, code]);
      expect((await nobody.ask('POST', '/dapp/orders', { body })).status).toBe(401);
    }
  });

  it('there is no /dapp/payments', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, envelope } = await holder.ask(method, '/dapp/payments');
      expect([status, envelope.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  });

  it('the filter of orders is status', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    await insertOrder(sql, tokenId, clientId);
    const count = async (query: string) =>
      dataOf<OrderPage>(await holder.ask('GET', `/dapp/orders?clientId=${clientId}&${query}`)).orders.length;
    expect(await count('status=CANCELLED')).toBe(0);
    expect(await count('orderStatus=CANCELLED')).toBe(1);
  });
});

describe('bodies that are refused', async () => {
  const [rows = []] = readTables(guide, 'Bodies that are refused');

  it.each(rows.map((row) => row.flatMap(readCode)))(
    '%s: %s',
    async (request = '', refused = '', accepted = '') => {
      const { id: clientId } = await insertClient(sql, tokenId);
      const { id: strainId } = await insertStrain(sql, { price: 10 });
      const orderId = await insertOrder(sql, tokenId, clientId);
      await holder.ask('POST', '/dapp/carts', { body: { clientId, items: [{ strainId, quantity: 1 }] } });
      const values: Record<string, string> = { clientId, clientCartId: clientId, strainId, ...newClient() };
      const send = (text: string) => {
        const [method = '', path = ''] = request.replace('{orderId}', orderId).split(' ');
        const body = text
          .replaceAll(/"(\w+)":"…"/g, (_, name: string) => `"${name}":"${values[name]}"`)
          .replace('a random UUID', randomUUID());
        return holder.ask(method, path, { body: JSON.parse(body) });
      };
      const { status, envelope } = await send(refused);
      const isMadeUp = refused.includes('a random UUID');
      expect([status, envelope.code]).toEqual(
        isMadeUp ? [404, 'RESOURCE_NOT_FOUND'] : [400, 'VALIDATION_FAILED'],
      );
      if (!isMadeUp) expect(String(envelope.data)).toContain('should not exist');
      dataOf(await send(accepted));
    },
  );
});
