import type { AdminHolderDetails } from '@keyfront/protocol';
import { getAddress } from 'viem/utils';
import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sibling, stranger, addWallet, admin, sql } = await openStorefront();

const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

it('returns the digital keys with what belongs to each, and the API keys without the keys', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  await insertOrder(sql, holder.tokenId, clientId, {});
  await sql(`UPDATE api_keys SET revoked_at = now(), last_used_at = now() WHERE token_id = $1`, [
    sibling.tokenId,
  ]);
  // The former owner of the digital key has left a webhook.
  await sql(
    `INSERT INTO webhooks (token_id, holder_id, url, event_types) VALUES ($1, $2, 'https://shop.example/hook', '{*}')`,
    [sibling.tokenId, stranger.holderId],
  );
  const reply = await admin.ask('GET', `/admin/holders/${holder.holderId}`);
  const planet = { number: 1, name: 'Verdane' };
  const key = { id: expect.any(String), keyName: 'storefront', createdAt: time, expiresAt: null };
  expect([reply.status, dataOf(reply)]).toEqual([
    200,
    {
      id: holder.holderId,
      walletAddress: getAddress(holder.walletAddress),
      email: null,
      primaryNft: { tokenId: holder.tokenId },
      createdAt: time,
      nftCount: 2,
      counts: { clients: 1, orders: 1, webhooks: 0, apiKeys: 1 },
      lastActiveAt: time,
      nfts: [
        {
          ...{ tokenId: sibling.tokenId, isPrimary: false, planet, acquiredAt: time },
          ...{ clients: 0, orders: 0, webhooks: 0 },
        },
        {
          ...{ tokenId: holder.tokenId, isPrimary: true, planet, acquiredAt: time },
          ...{ clients: 1, orders: 1, webhooks: 0 },
        },
      ],
      keys: [
        { ...key, tokenId: holder.tokenId, state: 'ACTIVE', lastUsedAt: null, revokedAt: null },
        { ...key, tokenId: sibling.tokenId, state: 'REVOKED', lastUsedAt: time, revokedAt: time },
      ],
    },
  ]);
});

it('shows an expired key as such, and a hostile name as it is', async () => {
  const { holderId } = await addWallet();
  const keyName = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(60)}`;
  await sql('UPDATE api_keys SET expires_at = now(), key_name = $2 WHERE holder_id = $1', [
    holderId,
    keyName,
  ]);
  const { keys } = dataOf<AdminHolderDetails>(await admin.ask('GET', `/admin/holders/${holderId}`));
  expect(keys).toMatchObject([{ state: 'EXPIRED', expiresAt: time, keyName }]);
});

it('shows at most a hundred of many digital keys and API keys', async () => {
  const { holderId, tokenId } = await addWallet();
  await sql(
    `WITH tokens AS (
       INSERT INTO digital_keys (token_id, holder_id, planet_id)
       SELECT $2::bigint * 1000000 + n, $1, planets.id FROM generate_series(1, 100) AS n, planets WHERE planets.number = 1
       RETURNING token_id
     )
     INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
     SELECT $1, token_id, 'key', decode(md5(token_id::text), 'hex') FROM tokens`,
    [holderId, tokenId],
  );
  const found = dataOf<AdminHolderDetails>(await admin.ask('GET', `/admin/holders/${holderId}`));
  expect([found.nftCount, found.counts, found.nfts.length, found.keys.length]).toEqual([101, null, 100, 100]);
});
