import type { OrderWithLines, Strain } from '@keyfront/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaled } from './support/scale.ts';
import { dataOf, openStorefront, type Reply } from './support/storefront.ts';
import { insertCart, insertClient, insertStrain } from './support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();
const { id: strainId } = await insertStrain(sql, { stock: 1_000_000 });
const { id: clientId } = await insertClient(sql, holder.tokenId);
// The largest price, and the largest amount of an order.
const maximumPriceCents = 999_999_999_999n;
const maximumOrderCents = 99_999_999_999_999n;

/** The decimal text of cents, written here once more so that the test does not trust the service. */
const decimal = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Reads a field from the text of a response, before any double could round it. */
function findAmount({ text }: Reply, field: string): bigint {
  const [, whole = '', decimals = ''] =
    new RegExp(`"${field}":(\\d+)(?:\\.(\\d{1,2}))?[,}]`).exec(text) ?? [];
  return BigInt(whole + decimals.padEnd(2, '0'));
}

it('takes and returns any amount exactly, from a price to an order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 0n, max: maximumPriceCents }),
      fc.integer({ min: 1, max: 1000 }),
      fc.boolean(),
      async (cents, quantity, isText) => {
        const retailPrice = isText ? decimal(cents) : Number(decimal(cents));
        const changed = await admin.ask('PATCH', `/admin/strains/${strainId}`, { body: { retailPrice } });
        expect(changed.status).toBe(200);
        expect(findAmount(changed, 'retailPrice')).toBe(cents);
        const read = await holder.ask('GET', `/dapp/strains/${strainId}`);
        expect(findAmount(read, 'retailPrice')).toBe(cents);
        expect(dataOf<Strain>(read).retailPrice).toBe(Number(decimal(cents)));

        const totalCents = cents * BigInt(quantity);
        if (totalCents > maximumOrderCents) return;
        await insertCart(sql, holder.tokenId, clientId, [{ strainId, quantity }]);
        const carts = await holder.ask('GET', `/dapp/carts?clientId=${clientId}`);
        expect(findAmount(carts, 'totalAmount')).toBe(totalCents);
        const placed = await holder.ask('POST', '/dapp/orders', { body: { clientId } });
        expect(findAmount(placed, 'totalAmount')).toBe(totalCents);
        const { id } = dataOf<OrderWithLines>(placed);
        expect(findAmount(await holder.ask('GET', `/dapp/orders/${id}`), 'totalAmount')).toBe(totalCents);
      },
    ),
    {
      numRuns: scaled(40),
      examples: [
        [maximumPriceCents, 100, false],
        [maximumOrderCents / 101n, 101, true],
        [29n, 1000, false],
        [0n, 1, true],
      ],
    },
  );
});
