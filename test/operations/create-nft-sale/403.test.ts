import pg from 'pg';
import { expect, it } from 'vitest';
import { draftSale } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sibling, stranger, addDigitalKey, admin, service, sql } = await openStorefront();

const draft = (tokenId: number, caller: Pick<typeof holder, 'ask'> = holder) =>
  caller.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });

it('rejects a digital key of another holder', async () => {
  const reply = await draft(stranger.tokenId);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'NOT_OWNED',
    message: 'The digital key belongs to another holder',
    data: null,
  });
  expect(await sql('SELECT FROM nft_sales WHERE token_id = $1', [stranger.tokenId])).toEqual([]);
});

it('rejects another digital key of the same wallet, and says which credential it takes', async () => {
  const advice = ({ tokenId: own }: typeof holder, { tokenId }: typeof holder) =>
    `Your credential is for the digital key ${own}: use an API key of ${tokenId}, ` +
    `or sign in and make ${tokenId} your primary digital key`;
  for (const [caller, own, other] of [
    [holder, holder, sibling],
    [sibling, sibling, holder],
    // A JWT addresses the primary digital key.
    [holder.signedIn, holder, sibling],
  ] as const) {
    const { envelope } = await draft(other.tokenId, caller);
    expect(envelope).toMatchObject({ statusCode: 403, code: 'NOT_OWNED', message: advice(own, other) });
  }
  const tokens = [holder.tokenId, sibling.tokenId];
  expect(await sql('SELECT FROM nft_sales WHERE token_id = ANY ($1)', [tokens])).toEqual([]);
});

it('reveals nothing about an open sale of another holder', async () => {
  const { tokenId } = await draftSale(stranger, sql);
  expect((await draft(tokenId)).envelope.message).toBe('The digital key belongs to another holder');
});

it('rejects a digital key whose owner changes meanwhile', async () => {
  const seller = await addDigitalKey();
  const { tokenId } = seller;
  const chain = new pg.Client({ connectionString: service.ownerUrl });
  await chain.connect();
  try {
    const { rows } = await chain.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await chain.query('BEGIN');
    await chain.query('UPDATE keyfront.digital_keys SET holder_id = $2 WHERE token_id = $1', [
      tokenId,
      stranger.holderId,
    ]);
    const asked = draft(tokenId, seller);
    // The draft has seen the former owner, and waits for what becomes of the digital key.
    const findWaiting = () =>
      sql('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]?.pid]);
    await expect.poll(findWaiting, { timeout: 10_000 }).toHaveLength(1);
    await chain.query('COMMIT');
    expect((await asked).envelope).toMatchObject({
      statusCode: 403,
      message: 'The digital key belongs to another holder',
    });
  } finally {
    await chain.end();
  }
  expect(await sql('SELECT FROM nft_sales WHERE token_id = $1', [tokenId])).toEqual([]);
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await draft(holder.tokenId, admin);
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
