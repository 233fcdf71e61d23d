import { describe, expect, it } from 'vitest';
import { openStorefront, type TestCaller } from './support/storefront.ts';
import { insertCart, insertClient, insertStrain } from './support/storefront-data.ts';

const { holder, admin, sql, service } = await openStorefront();
const { tokenId } = holder;
const client = await insertClient(sql, tokenId);
const strain = await insertStrain(sql);
const buyer = await insertClient(sql, tokenId);
await insertCart(sql, tokenId, buyer.id, [{ strainId: strain.id, quantity: 1 }]);

/** Each POST that a caller with credentials can make, with a body that it takes once. */
const posts: Record<string, { readonly caller: TestCaller; readonly body: object }> = {
  '/keys': { caller: holder.signedIn, body: { keyName: 'Once' } },
  '/dapp/clients': {
    caller: holder,
    body: { firstName: 'Ada', lastName: 'Once', email: 'once@example.org' },
  },
  '/dapp/carts': {
    caller: holder,
    body: { clientId: client.id, cartItems: [{ strainId: strain.id, quantity: 2 }] },
  },
  '/dapp/orders': { caller: holder, body: { clientId: buyer.id } },
  '/dapp/sales': { caller: holder, body: { clientId: client.id, description: 'Once' } },
  '/marketplace/nfts/sale': { caller: holder, body: { tokenId, price: '1.5' } },
  '/admin/planets': { caller: admin, body: { number: 4_711, name: 'Once' } },
  '/admin/strains': {
    caller: admin,
    body: {
      name: 'Once',
      type: 'HYBRID',
      thc: 18,
      cbd: 1,
      retailPrice: '10.00',
      currency: 'EUR',
      stockQuantity: 5,
      planet: '1',
    },
  },
};

describe('an Idempotency-Key', () => {
  it('is taken by every POST of a caller with credentials', async () => {
    const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, { post?: { security: unknown[] } }>;
    };
    const guarded = Object.entries(document.paths)
      .filter(([, { post }]) => post && post.security.length > 0)
      .map(([path]) => path.replace('/api/v1', ''));
    expect(Object.keys(posts).sort()).toEqual(guarded.sort());
  });

  it.each(Object.entries(posts))(
    'makes POST %s happen once, and gives its answer again byte for byte',
    async (path, post) => {
      const headers = { 'idempotency-key': `once ${path}` };
      const first = await post.caller.ask('POST', path, { body: post.body, headers });
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
      const second = await post.caller.ask('POST', path, { body: post.body, headers });
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
      const other = await post.caller.ask('POST', path, { body: { ...post.body, more: 1 }, headers });
      expect([other.status, other.envelope.message]).toEqual([
        422,
        'This Idempotency-Key was used for another request: take a new one',
      ]);
    },
  );

  it('keeps no secret that can be read, and no key of the caller', async () => {
    const headers = { 'idempotency-key': 'a key of the caller' };
    const reply = await holder.signedIn.ask('POST', '/keys', { body: { keyName: 'Secret' }, headers });
    const { secretKey } = reply.envelope.data as { secretKey: string };
    const rows = await sql<{ row: string }>('SELECT idempotency_keys::text AS row FROM idempotency_keys');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(Buffer.from(secretKey).toString('hex'));
      expect(row).not.toContain(Buffer.from('a key of the caller').toString('hex'));
      expect(row).not.toContain('a key of the caller');
    }
  });
});
