import type { CartPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, sql } = await openStorefront();

const list = async (query = '', caller: Pick<typeof holder, 'ask'> = holder): Promise<CartPage> =>
  dataOf<CartPage>(await caller.ask('GET', `/dapp/carts${query}`));
const ids = ({ clients }: CartPage) => clients.map(({ id }) => id);

const saffron = await insertStrain(sql, { price: 12.5 });
const tide = await insertStrain(sql, { price: 3 });
const dollar = await insertStrain(sql, { currency: 'USD' });

/** A client of the holder whose cart got these strains one by one. */
async function insertOwner(tokenId: number, names: Parameters<typeof insertClient>[2], strainIds: string[]) {
  const client = await insertClient(sql, tokenId, names);
  const items = strainIds.map((strainId) => ({ strainId, quantity: 2 }));
  return { ...client, cartId: await insertCart(sql, tokenId, client.id, items) };
}

const ada = await insertOwner(holder.tokenId, { firstName: 'Ada', lastName: 'Under_score' }, [
  tide.id,
  saffron.id,
]);
const ben = await insertOwner(holder.tokenId, { firstName: 'Ben', lastName: '50% Back\\slash' }, [
  saffron.id,
]);
const eve = await insertOwner(
  holder.tokenId,
  { firstName: 'Eve', lastName: 'Example', email: 'Eve.Only@example.org' },
  [saffron.id],
);
await insertOwner(holder.tokenId, { firstName: 'Empty' }, []);
await insertClient(sql, holder.tokenId, { firstName: 'Cartless' });
const others = await Promise.all(
  [stranger, sibling].map(({ tokenId }) =>
    insertOwner(tokenId, { firstName: 'Ada', lastName: 'Elsewhere' }, [saffron.id]),
  ),
);
/** Says when a cart last changed; the trigger that would say it was now rests meanwhile. */
const setChanged = (cartId: string, minutesAgo: number) =>
  sql(`BEGIN;
       SET LOCAL session_replication_role = replica;
       UPDATE carts SET updated_at = now() - interval '${minutesAgo} minutes' WHERE id = '${cartId}';
       COMMIT`);
await sql(
  `UPDATE cart_items SET created_at = now() - interval '1 hour' WHERE cart_id = $1 AND strain_id = $2`,
  [ada.cartId, tide.id],
);
await setChanged(ben.cartId, 3);
await setChanged(ada.cartId, 2);
await setChanged(eve.cartId, 1);
const all = [eve.id, ada.id, ben.id];

it('returns the clients who have something in the cart, the cart that changed last first', async () => {
  const page = await list();
  expect(ids(page)).toEqual(all);
  expect(page.pageMetaDto).toEqual({
    page: 1,
    take: 10,
    itemCount: 3,
    totalCount: 3,
    pageCount: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
  expect(await list('', holder.signedIn)).toEqual(page);
});

it('returns every field of a client and the cart, its strains in the order in which they were added', async () => {
  const { clients } = await list(`?clientId=${ada.id}`);
  const line = (strain: typeof saffron, retailPrice: number, lineAmount: number) => ({
    strainId: strain.id,
    quantity: 2,
    lineAmount,
    totalAmount: lineAmount,
    strain: {
      id: strain.id,
      name: strain.name,
      retailPrice,
      currency: 'EUR',
      imageUrl: null,
      isAvailable: true,
      stockQuantity: 100,
    },
  });
  expect(clients).toEqual([
    {
      id: ada.id,
      firstName: 'Ada',
      lastName: 'Under_score',
      email: ada.email,
      clientCart: [
        {
          id: ada.cartId,
          cartItems: [line(tide, 3, 6), line(saffron, 12.5, 25)],
          subTotal: 31,
          deliveryCharge: 0,
          totalAmount: 31,
          totalQuantity: 4,
          totalQuatity: 4,
          currency: 'EUR',
        },
      ],
    },
  ]);
});

it('filters by client, in small and capital letters', async () => {
  expect(ids(await list(`?clientId=${ben.id.toUpperCase()}`))).toEqual([ben.id]);
  expect((await list(`?clientId=${unknownId}`)).pageMetaDto).toMatchObject({ itemCount: 0, pageCount: 0 });
});

it('searches names and e-mails, in any case, with %, _ and the backslash as themselves', async () => {
  expect(ids(await list('?search=ADA'))).toEqual([ada.id]);
  expect(ids(await list('?search=example'))).toEqual(all);
  expect(ids(await list('?search=eve%20exa'))).toEqual([eve.id]);
  expect(ids(await list('?search=eve.only@EXAMPLE.org'))).toEqual([eve.id]);
  expect(ids(await list('?search=50%25'))).toEqual([ben.id]);
  expect(ids(await list('?search=%25'))).toEqual([ben.id]);
  expect(ids(await list('?search=_'))).toEqual([ada.id]);
  expect(ids(await list('?search=back%5Csl'))).toEqual([ben.id]);
  expect(ids(await list('?search=%27%20OR%20true--'))).toEqual([]);
  expect(ids(await list(`?search=ada&clientId=${ben.id}`))).toEqual([]);
});

it('finds neither empty carts nor clients without one', async () => {
  expect((await list('?search=Empty')).pageMetaDto.itemCount).toBe(0);
  expect((await list('?search=Cartless')).pageMetaDto.itemCount).toBe(0);
});

it('ignores an empty filter', async () => {
  expect(ids(await list('?search='))).toEqual(all);
});

it('pages without gaps or duplicates, and keeps the count beyond the last page', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}&take=1`)));
  expect(pages.flatMap(ids)).toEqual(all);
  expect(pages[1]?.pageMetaDto).toEqual({
    page: 2,
    take: 1,
    itemCount: 3,
    totalCount: 3,
    pageCount: 3,
    hasPreviousPage: true,
    hasNextPage: true,
  });
  expect(await list('?page=9')).toMatchObject({ clients: [], pageMetaDto: { itemCount: 3 } });
});

it('never shows data of another holder or of another digital key of the holder', async () => {
  for (const [index, other] of [stranger, sibling].entries()) {
    const theirs = others[index];
    expect(ids(await list('', other))).toEqual([theirs?.id]);
    expect(ids(await list(`?clientId=${theirs?.id}`))).toEqual([]);
    expect(ids(await list(`?clientId=${ada.id}`, other))).toEqual([]);
    expect((await list('?search=ben', other)).pageMetaDto.itemCount).toBe(0);
  }
  expect((await list('?search=Elsewhere')).pageMetaDto.itemCount).toBe(0);
});

it('brings a cart to the top when something is added or taken out', async () => {
  const { holder: shop } = await openStorefront();
  const [first, second] = [
    await insertOwner(shop.tokenId, {}, [saffron.id]),
    await insertOwner(shop.tokenId, {}, [saffron.id, tide.id]),
  ];
  await setChanged(first.cartId, 2);
  await setChanged(second.cartId, 1);
  await shop.ask('POST', '/dapp/carts', {
    body: { clientId: first.id, cartItems: [{ strainId: tide.id, quantity: 1 }] },
  });
  expect(ids(await list('', shop))).toEqual([first.id, second.id]);
  await setChanged(first.cartId, 1);
  await setChanged(second.cartId, 2);
  await shop.ask('DELETE', `/dapp/carts/${second.cartId}?strainId=${saffron.id}`);
  expect(ids(await list('', shop))).toEqual([second.id, first.id]);
});

it('names no currency where a change of prices left a cart with two', async () => {
  const { holder: shop } = await openStorefront();
  await insertOwner(shop.tokenId, {}, [saffron.id, dollar.id]);
  const { clients } = await list('', shop);
  expect(clients[0]?.clientCart[0]).toMatchObject({ currency: null, totalQuantity: 4 });
});
