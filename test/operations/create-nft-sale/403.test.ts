import pg from 'pg';
import { expect, it } from 'vitest';
import { draftSale, insertToken } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, stranger, admin, service, sql } = await openStorefront();

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

it('reveals nothing about an open sale of another holder', async () => {
  const { tokenId } = await draftSale(stranger, sql);
  expect((await draft(tokenId)).envelope.message).toBe('The digital key belongs to another holder');
});

it('rejects a digital key whose owner changes meanwhile', async () => {
  const tokenId = await insertToken(sql, holder.holderId);
  const chain = new pg.Client({ connectionString: service.ownerUrl });
  await chain.connect();
  try {
    const { rows } = await chain.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await chain.query('BEGIN');
    await chain.query('UPDATE keyfront.digital_keys SET holder_id = $2 WHERE token_id = $1', [
      tokenId,
      stranger.holderId,
    ]);
    const asked = draft(tokenId);
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
