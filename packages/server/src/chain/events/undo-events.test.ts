import { randomUUID } from 'node:crypto';
import { zeroAddress } from '@keyfront/evm';
import { openChainSource } from '@keyfront/evm/chain';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { type fakeContracts, useChainMarkets } from '../../../../../test/support/chain-markets.ts';
import { type FakeChain, fakeToken } from '../../../../../test/support/fake-chain.ts';
import { revokeKey } from '../../resources/keys/key-rules.ts';
import { ChainReader } from '../reader/chain-reader.ts';

const markets = useChainMarkets();
const { sql, compactCounters, openMarket, readOwner, insertKey, insertOffer, readOffer } = markets;

it('reports what the chain does to a digital key, and what it takes back', async () => {
  const market = await openMarket();
  const { tokenId, ada, ben } = market;
  await market.mint(ada);
  const [sale] = await sql<{ id: string }>(
    `INSERT INTO nft_sales (token_id, seller_id, price, currency, expires_at)
     SELECT token_id, holder_id, 1, 'ETH', now() + interval '1 day' FROM digital_keys WHERE token_id = $1 RETURNING id`,
    [tokenId],
  );
  const saleId = sale?.id ?? '';
  await market.mine({ kind: 'list', tokenId, saleId, owner: ada, price: 10n ** 18n });
  await market.mine({ kind: 'sell', tokenId, saleId, seller: ada, buyer: ben, price: 10n ** 18n });
  await market.reorganise(1);
  const events = await sql<{ type: string; of: string }>(
    `SELECT type, coalesce(snapshot ->> 'state', snapshot ->> 'type') AS of FROM events WHERE token_id = $1
     ORDER BY transaction_number, sequence_number`,
    [tokenId],
  );
  expect(events.map((event) => `${event.type} ${event.of}`)).toEqual([
    'nft_sale.listed LISTED',
    'nft.transferred TRANSFER',
    'nft_sale.sold SOLD',
    'nft.reorganised SALE',
    'nft.reorganised TRANSFER',
  ]);
});

describe('dropped blocks and offers', () => {
  const price = 10n ** 18n;

  it('returns the offer back to the seller when the buyer has offered the digital key too', async () => {
    const market = await openMarket();
    const { tokenId, ada, ben } = market;
    await market.mint();
    const first = await insertOffer(tokenId, 'LISTED');
    await market.mine({ kind: 'sell', tokenId, saleId: first, seller: ada, buyer: ben, price });
    expect(await readOffer(first)).toBe('SOLD');
    const second = await insertOffer(tokenId);
    await market.reorganise(1);
    expect([await readOwner(tokenId), await readOffer(first), await readOffer(second)]).toEqual([
      ada,
      'LISTED',
      'CANCELLED',
    ]);
  });

  it('drops the mint together with the purchase of a digital key that the buyer has offered', async () => {
    const market = await openMarket();
    const { tokenId, ada, ben } = market;
    await market.mint();
    const first = await insertOffer(tokenId, 'LISTED');
    await market.mine({ kind: 'sell', tokenId, saleId: first, seller: ada, buyer: ben, price });
    const second = await insertOffer(tokenId);
    await compactCounters();
    await market.reorganise(2);
    expect([await readOwner(tokenId), await readOffer(first), await readOffer(second)]).toEqual([
      zeroAddress,
      'CANCELLED',
      'CANCELLED',
    ]);
  });

  it.each(['as it is noted now', 'as it was noted before'])(
    'lets a newer offer of the seller stand when a cancellation is dropped (%s)',
    async (form) => {
      const market = await openMarket();
      const { tokenId, ada, chain } = market;
      await market.mint();
      const first = await insertOffer(tokenId, 'LISTED');
      await market.mine({ kind: 'cancel', tokenId, saleId: first, owner: ada });
      const second = await insertOffer(tokenId);
      if (form === 'as it was noted before') {
        await sql(`UPDATE chain_changes SET change = change - 'after' WHERE chain_id = $1`, [chain.chainId]);
      }
      await market.reorganise(1);
      expect([await readOffer(first), await readOffer(second)]).toEqual(['CANCELLED', 'DRAFT']);
    },
  );

  it('leaves an offer that the seller has cancelled since', async () => {
    const market = await openMarket();
    const { tokenId, ada } = market;
    await market.mint();
    const offer = await insertOffer(tokenId);
    await market.mine({ kind: 'list', tokenId, saleId: offer, owner: ada, price });
    expect(await readOffer(offer)).toBe('LISTED');
    await sql(`UPDATE nft_sales SET state = 'CANCELLED' WHERE id = $1`, [offer]);
    const next = await insertOffer(tokenId);
    await market.reorganise(1);
    expect([await readOffer(offer), await readOffer(next)]).toEqual(['CANCELLED', 'DRAFT']);
  });

  it('undoes several changes of one offer', async () => {
    const market = await openMarket();
    const { tokenId, ada, ben } = market;
    await market.mint();
    const offer = await insertOffer(tokenId);
    await market.mine({ kind: 'list', tokenId, saleId: offer, owner: ada, price });
    await market.mine({ kind: 'sell', tokenId, saleId: offer, seller: ada, buyer: ben, price });
    expect(await readOffer(offer)).toBe('SOLD');
    await market.reorganise(2);
    expect([await readOwner(tokenId), await readOffer(offer)]).toEqual([ada, 'DRAFT']);
  });
});

describe('dropped transfers and API keys', () => {
  /** A digital key of Ada with two API keys, one of which she can revoke. */
  async function openMarketWithKeys() {
    const market = await openMarket();
    const { tokenId, ada } = market;
    await market.mint();
    await insertKey(tokenId);
    await insertKey(tokenId);
    const keys = await sql<{ id: string; holderId: string }>(
      'SELECT id, holder_id AS "holderId" FROM api_keys WHERE token_id = $1 ORDER BY id',
      [tokenId],
    );
    const [kept, ended] = keys;
    if (!kept || !ended) throw new Error('Both keys must exist');
    const scope = { role: 'holder', holderId: ended.holderId, tokenId, walletAddress: ada } as const;
    return {
      ...market,
      kept: kept.id,
      ended: ended.id,
      revoke: (id: string) => revokeKey(markets.database, scope, id),
      liveKeys: async () =>
        (
          await sql<{ id: string }>(
            'SELECT id FROM api_keys WHERE token_id = $1 AND revoked_at IS NULL ORDER BY id',
            [tokenId],
          )
        ).map(({ id }) => id),
    };
  }

  it('restores the API keys of the former owner', async () => {
    const { mine, reorganise, liveKeys, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    expect(await liveKeys()).toEqual([]);
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept, ended]);
  });

  it('does not restore an API key that its holder revoked after the transfer', async () => {
    const { mine, reorganise, liveKeys, revoke, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    const { revokedAt } = await revoke(ended);
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept]);
    expect((await revoke(ended)).revokedAt).toBe(revokedAt);
  });

  it('does not restore an API key that its holder revoked after the digital key had come back', async () => {
    const { mine, reorganise, liveKeys, revoke, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await mine({ kind: 'transfer', tokenId, from: ben, to: ada });
    await revoke(ended);
    await reorganise(2);
    expect(await liveKeys()).toEqual([kept]);
  });

  it('does not restore an API key that its holder revoked before the transfer', async () => {
    const { mine, reorganise, liveKeys, revoke, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await revoke(ended);
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept]);
  });

  it('does not restore an API key if it is not known who revoked it', async () => {
    const { mine, reorganise, liveKeys, kept, ended, tokenId, ada, ben } = await openMarketWithKeys();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await sql('UPDATE api_keys SET revoked_by = NULL WHERE id = $1', [ended]);
    await reorganise(1);
    expect(await liveKeys()).toEqual([kept]);
  });
});

describe('the nonce of a digital key', () => {
  const readNonce = async (tokenId: number) =>
    Number(
      (await sql<{ nonce: string }>('SELECT nonce FROM digital_keys WHERE token_id = $1', [tokenId]))[0]
        ?.nonce,
    );

  it('counts changes of the owner, and dropped ones no longer', async () => {
    const { mine, mint, reorganise, tokenId, ada, ben, cleo } = await openMarket();
    await mint();
    expect(await readNonce(tokenId)).toBe(1);
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await mine({ kind: 'transfer', tokenId, from: ben, to: ben });
    const saleId = randomUUID();
    await mine({ kind: 'sell', tokenId, saleId, seller: ben, buyer: cleo, price: 1n });
    expect(await readNonce(tokenId)).toBe(3);
    await reorganise(2);
    expect(await readNonce(tokenId)).toBe(2);
    await reorganise(3);
    expect(await readNonce(tokenId)).toBe(1);
  });

  it('counts the mint of a digital key that the service had before, such as that of the demo', async () => {
    const { mint, tokenId, ada } = await openMarket();
    await sql(
      `WITH holder AS (INSERT INTO holders (wallet_address) VALUES ($2) RETURNING id)
       INSERT INTO digital_keys (token_id, holder_id, planet_id)
       SELECT $1, holder.id, planets.id FROM holder, planets`,
      [tokenId, ada],
    );
    await mint();
    expect(await readNonce(tokenId)).toBe(1);
  });

  it('stays the same when another marketplace contract makes the reader start again', async () => {
    const { chain, mine, mint, tokenId, ada, ben } = await openMarket();
    await mint();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await insertKey(tokenId);
    const offer = await insertOffer(tokenId, 'LISTED');
    const another = { token: fakeToken, marketplace: `0x${'4b'.repeat(20)}` };
    await readAll(chain, another);
    expect([await readNonce(tokenId), await readOwner(tokenId)]).toEqual([2, ben]);
    // The transfers of the past are not applied again, so what the owner has stays theirs.
    expect(await readOffer(offer)).toBe('LISTED');
    const revoked = await sql('SELECT FROM api_keys WHERE token_id = $1 AND revoked_at IS NOT NULL', [
      tokenId,
    ]);
    expect(revoked).toEqual([]);

    chain.mine([{ kind: 'transfer', tokenId, from: ben, to: ada }]);
    await readAll(chain, another);
    expect([await readNonce(tokenId), await readOwner(tokenId)]).toEqual([3, ada]);
    chain.drop(1);
    chain.mine([]);
    await readAll(chain, another);
    expect([await readNonce(tokenId), await readOwner(tokenId)]).toEqual([2, ben]);
  });

  it('starts again with another token contract', async () => {
    const { mine, mint, tokenId, ada, ben } = await openMarket();
    await mint();
    await mine({ kind: 'transfer', tokenId, from: ada, to: ben });
    await sql('UPDATE digital_keys SET nonce_contract = $2 WHERE token_id = $1', [tokenId, ben]);
    await mine({ kind: 'transfer', tokenId, from: ben, to: ada });
    expect(await readNonce(tokenId)).toBe(1);
  });
});

async function readAll(
  chain: FakeChain,
  watched: typeof fakeContracts | { token: Hex; marketplace: string },
) {
  const name = { chainId: chain.chainId, contracts: watched };
  const source = openChainSource(async (method, params) => chain.answer(method, params), watched);
  const reader = new ChainReader({ database: markets.database, source, name, startBlock: 0 });
  for (let outcome = await reader.step(); outcome !== 'waiting'; outcome = await reader.step());
}
