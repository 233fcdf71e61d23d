import type { AdminHolder, AdminHolderPage } from '@keyfront/protocol';
import { getAddress } from 'viem/utils';
import { expect, it } from 'vitest';
import { compactOrderCounters } from '../../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { service, holder, sibling, stranger, addWallet, admin, sql } = await openStorefront();

const list = async (query: Record<string, string>) =>
  dataOf<AdminHolderPage>(await admin.ask('GET', `/admin/holders?${new URLSearchParams(query)}`));
const findOne = async (walletAddress: string): Promise<AdminHolder> => {
  const { holders } = await list({ walletAddress });
  expect(holders).toHaveLength(1);
  return holders[0] as AdminHolder;
};
const idsOf = ({ holders }: AdminHolderPage) => holders.map(({ id }) => id);

/** Gives the holder digital keys beyond the numbers that other tests use. */
const addTokens = (holderId: string, first: number, count: number) =>
  sql(
    `INSERT INTO digital_keys (token_id, holder_id, planet_id)
     SELECT $2::bigint + n, $1, planets.id FROM generate_series(0, $3::int - 1) AS n, planets WHERE planets.number = 1`,
    [holderId, first, count],
  );

it('returns every field, with counts over all digital keys, before and after compaction', async () => {
  const client = await insertClient(sql, holder.tokenId);
  await insertClient(sql, sibling.tokenId);
  const archived = await insertClient(sql, sibling.tokenId);
  await sql('UPDATE clients SET archived_at = now() WHERE id = $1', [archived.id]);
  await insertOrder(sql, holder.tokenId, client.id, { orderStatus: 'CANCELLED' });
  await insertOrder(sql, holder.tokenId, client.id, {});
  await sql(`UPDATE holders SET email = 'ada@example.org' WHERE id = $1`, [holder.holderId]);
  await sql(
    `INSERT INTO webhooks (token_id, holder_id, url, event_types) SELECT $1, holder, 'https://shop.example/hook', '{*}'
     FROM unnest($2::uuid[]) AS holder`,
    [holder.tokenId, [holder.holderId, stranger.holderId]],
  );
  for (let round = 0; round < 2; round++) {
    expect(await list({ walletAddress: holder.walletAddress })).toEqual({
      holders: [
        {
          id: holder.holderId,
          walletAddress: getAddress(holder.walletAddress),
          email: 'ada@example.org',
          primaryNft: { tokenId: holder.tokenId },
          createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
          nftCount: 2,
          tokenIds: [sibling.tokenId, holder.tokenId],
          counts: { clients: 2, orders: 2, webhooks: 1, apiKeys: 2 },
          lastActiveAt: expect.stringMatching(/Z$/),
        },
      ],
      pageMetaDto: { take: 20, hasNextPage: false, nextCursor: null },
    });
    await compactOrderCounters(service.database, new AbortController().signal);
  }
});

it('counts only API keys that are accepted, and shows the latest of sign-in and use', async () => {
  const { holderId, walletAddress } = await addWallet();
  await sql('DELETE FROM sessions WHERE wallet_address = $1', [walletAddress]);
  expect(await findOne(walletAddress)).toMatchObject({ counts: { apiKeys: 1 }, lastActiveAt: null });
  await sql(`UPDATE api_keys SET last_used_at = '2026-03-01T00:00Z' WHERE holder_id = $1`, [holderId]);
  expect(await findOne(walletAddress)).toMatchObject({ lastActiveAt: '2026-03-01T00:00:00.000Z' });
  await sql(`UPDATE api_keys SET expires_at = now() WHERE holder_id = $1`, [holderId]);
  expect(await findOne(walletAddress)).toMatchObject({ counts: { apiKeys: 0 } });
  await sql(`UPDATE api_keys SET expires_at = NULL, revoked_at = now() WHERE holder_id = $1`, [holderId]);
  expect(await findOne(walletAddress)).toMatchObject({
    counts: { apiKeys: 0 },
    lastActiveAt: '2026-03-01T00:00:00.000Z',
  });
});

it('finds a holder by wallet, in any case, and by digital key', async () => {
  for (const query of [
    { walletAddress: stranger.walletAddress },
    { walletAddress: getAddress(stranger.walletAddress) },
    { tokenId: String(stranger.tokenId) },
    { tokenId: String(stranger.tokenId), walletAddress: stranger.walletAddress },
    { tokenId: String(stranger.tokenId), walletAddress: '', cursor: '' },
  ]) {
    expect(idsOf(await list(query)), JSON.stringify(query)).toEqual([stranger.holderId]);
  }
  for (const query of [
    { walletAddress: `0x${'0'.repeat(40)}` },
    { tokenId: '9999999999999999' },
    { tokenId: String(holder.tokenId), walletAddress: stranger.walletAddress },
  ]) {
    expect(await list(query), JSON.stringify(query)).toEqual({
      holders: [],
      pageMetaDto: { take: 20, hasNextPage: false, nextCursor: null },
    });
  }
});

it('finds holders by the beginning of their wallet, by wallet and in pages', async () => {
  const first = `0xabc${String(holder.tokenId).padStart(12, '0')}`;
  const wallets = ['0', '9', 'a', 'f'].map((digit) => first + digit.repeat(42 - first.length));
  await sql('INSERT INTO holders (wallet_address) SELECT unnest($1::text[])', [wallets.toReversed()]);
  const walletsOf = ({ holders }: AdminHolderPage) =>
    holders.map(({ walletAddress }) => walletAddress.toLowerCase());
  for (const walletAddress of [first, first.toUpperCase().replace('0X', '0x')])
    expect(walletsOf(await list({ walletAddress }))).toEqual(wallets);
  const start = await list({ walletAddress: first, take: '3' });
  expect(walletsOf(start)).toEqual(wallets.slice(0, 3));
  const rest = await list({ walletAddress: first, cursor: start.pageMetaDto.nextCursor ?? '' });
  expect([walletsOf(rest), rest.pageMetaDto.nextCursor]).toEqual([wallets.slice(3), null]);
  expect((await list({ walletAddress: '0x' })).holders.length).toBeGreaterThan(4);
});

it('pages newest first without gaps or duplicates, while holders arrive', async () => {
  const added = [];
  for (let wallet = 0; wallet < 5; wallet++) added.push((await addWallet()).holderId);
  const newest = added.toReversed();
  const first = await list({ take: '2' });
  expect(idsOf(first)).toEqual(newest.slice(0, 2));
  expect(first.pageMetaDto).toEqual({ take: 2, hasNextPage: true, nextCursor: newest[1] });
  await addWallet();
  const second = await list({ take: '2', cursor: first.pageMetaDto.nextCursor ?? '' });
  expect(idsOf(second)).toEqual(newest.slice(2, 4));
  // To the end of the platform.
  const seen = [...idsOf(first), ...idsOf(second)];
  for (let { nextCursor } = second.pageMetaDto; nextCursor !== null; ) {
    const page = await list({ take: '100', cursor: nextCursor });
    seen.push(...idsOf(page));
    nextCursor = page.pageMetaDto.nextCursor;
  }
  expect(seen).toEqual(seen.toSorted().toReversed());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining([...added, holder.holderId, stranger.holderId]));
});

it('shows a wallet that no longer owns a digital key', async () => {
  const { holderId, walletAddress, tokenId } = await addWallet();
  await sql('UPDATE holders SET primary_token_id = NULL WHERE id = $1', [holderId]);
  await sql('UPDATE digital_keys SET holder_id = $2 WHERE token_id = $1', [tokenId, stranger.holderId]);
  expect(await findOne(walletAddress)).toMatchObject({
    primaryNft: null,
    nftCount: 0,
    tokenIds: [],
    counts: { clients: 0, orders: 0, webhooks: 0, apiKeys: 0 },
  });
  expect(idsOf(await list({ tokenId: String(tokenId) }))).toEqual([stranger.holderId]);
});

it('bounds what a holder of many digital keys costs', async () => {
  const { holderId, walletAddress, tokenId } = await addWallet();
  const first = 1_000_000 * tokenId;
  await addTokens(holderId, first, 99);
  const counted = await findOne(walletAddress);
  expect(counted).toMatchObject({ nftCount: 100, counts: { clients: 0, apiKeys: 1 } });
  expect(counted.tokenIds).toEqual([tokenId, ...Array.from({ length: 9 }, (_, at) => first + at)]);
  await addTokens(holderId, first + 99, 1);
  expect(await findOne(walletAddress)).toMatchObject({ nftCount: 101, counts: null });
});
