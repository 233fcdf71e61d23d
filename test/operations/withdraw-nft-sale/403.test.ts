import { expect, it } from 'vitest';
import { draftSale, handIn, listSale } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sibling, stranger, sql } = await openStorefront();

const stateOf = async (id: string) =>
  (await sql<{ state: string }>('SELECT state FROM nft_sales WHERE id = $1', [id]))[0]?.state;

/** Asks for a withdrawal, sees that the sale stays as it is, and returns code and message. */
async function refusalOf(id: string, caller: Pick<typeof holder, 'ask'> = holder) {
  const before = await stateOf(id);
  const { envelope } = await caller.ask('DELETE', `/marketplace/nfts/sale/${id}`);
  expect(envelope).toMatchObject({ success: false, statusCode: 403, data: null });
  expect(await stateOf(id)).toBe(before);
  return [envelope.code, envelope.message];
}

it('rejects a listed sale, and says how to cancel it', async () => {
  const { id } = await listSale(holder, sql);
  expect(await refusalOf(id)).toEqual([
    'SALE_LISTED',
    'The sale is listed: to cancel it, sign its typedData and send the signature with PATCH',
  ]);
});

it.each(['SOLD', 'CANCELLED'])('rejects a sale that is %s', async (state) => {
  const { id } = await draftSale(holder, sql);
  await sql('UPDATE nft_sales SET state = $2 WHERE id = $1', [id, state]);
  expect(await refusalOf(id)).toEqual(['SALE_CLOSED', `The sale is ${state}`]);
});

it('rejects the draft of another holder, and of another digital key of the same wallet', async () => {
  const refused = ['NOT_OWNED', 'Sale belongs to another holder or digital key'];
  expect(await refusalOf((await draftSale(stranger, sql)).id)).toEqual(refused);
  const { id } = await draftSale(sibling, sql);
  expect(await refusalOf(id)).toEqual(refused);
  expect(await refusalOf(id, holder.signedIn)).toEqual(refused);
});

it('either withdraws or lists a draft for which both are asked at once', async () => {
  for (let round = 0; round < 10; round++) {
    const draft = await draftSale(holder, sql);
    const path = `/marketplace/nfts/sale/${draft.id}`;
    const [listed, withdrawn] = await Promise.all([handIn(holder, draft), holder.ask('DELETE', path)]);
    expect([listed.status, withdrawn.status].sort()).toEqual([200, 403]);
    expect(await stateOf(draft.id)).toBe(listed.status === 200 ? 'LISTED' : 'CANCELLED');
  }
});
