import { parseEther } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, openMarket } from '../test/market.ts';

let market: Awaited<ReturnType<typeof openMarket>>;
beforeEach(async () => {
  market = await openMarket();
});
const cancelAs = (from: { address: `0x${string}` }, listing: ReturnType<typeof market.offer>) =>
  market.onMarketplace(from.address, calls.cancel(listing));

/** Returns the only event of a cancellation. */
function cancelledEvents({ saleId, tokenId, owner }: ReturnType<typeof market.offer>) {
  return [{ address: market.marketplace, eventName: 'Cancelled', args: { saleId, tokenId, owner } }];
}

describe('cancelling', () => {
  it('cancels a listing when the owner calls', async () => {
    const listing = market.offer();
    await market.list(listing);
    expect(await cancelAs(market.owner, listing)).toEqual(cancelledEvents(listing));
    expect(await market.stateOf(listing)).toBe('Cancelled');
    await expect(market.buy(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
  });

  it('cancels a listing by the owner’s signature, submitted by anyone', async () => {
    const listing = market.offer();
    await market.list(listing);
    expect(await market.cancelBySignature(listing)).toEqual(cancelledEvents(listing));
    await expect(market.buy(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
  });

  it('prevents a signed listing from being submitted later', async () => {
    const listing = market.offer();
    expect(await cancelAs(market.owner, listing)).toEqual(cancelledEvents(listing));
    await expect(market.list(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
    await expect(market.list({ ...listing, price: 1n })).rejects.toThrow(
      `AlreadyCancelled(${listing.saleId})`,
    );
  });

  it('prevents it by signature too', async () => {
    const listing = market.offer();
    expect(await market.cancelBySignature(listing)).toEqual(cancelledEvents(listing));
    await expect(market.list(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
  });

  it('accepts the signature of a smart wallet (ERC-1271)', async () => {
    const wallet = await market.deployWallet(market.owner);
    const listing = market.offer({ owner: wallet });
    await expect(
      market.cancelBySignature(listing, await market.signCancellation(listing, market.stranger)),
    ).rejects.toThrow(`SignatureNotOfOwner(${wallet})`);
    expect(await market.cancelBySignature(listing)).toEqual(cancelledEvents(listing));
  });

  it('is possible after the expiry for the owner, but not by signature', async () => {
    const listing = market.offer();
    await market.list(listing);
    market.chain.now = listing.expiry + 1n;
    await expect(market.cancelBySignature(listing)).rejects.toThrow(
      `ListingExpired(${listing.saleId},${listing.expiry})`,
    );
    expect(await cancelAs(market.owner, listing)).toEqual(cancelledEvents(listing));
  });

  it('is possible for a listing that a transfer has made void', async () => {
    const listing = market.offer();
    await market.list(listing);
    await market.transfer(market.owner.address, market.stranger.address);
    expect(await market.cancelBySignature(listing)).toEqual(cancelledEvents(listing));
  });

  it('by signature is possible up to and including the expiry', async () => {
    const listing = market.offer();
    await market.list(listing);
    market.chain.now = listing.expiry;
    expect(await market.cancelBySignature(listing)).toEqual(cancelledEvents(listing));
  });
});

describe('a cancellation is rejected', () => {
  it('if the caller is not the owner', async () => {
    const listing = market.offer();
    await market.list(listing);
    await expect(cancelAs(market.stranger, listing)).rejects.toThrow(
      `CallerIsNotOwner(${market.stranger.address},${market.owner.address})`,
    );
    expect(await market.stateOf(listing)).toBe('Listed');
  });

  it('if the signature is not the owner’s for this cancellation, chain and contract', async () => {
    const listing = market.offer();
    await market.list(listing);
    for (const signature of [
      await market.signCancellation(listing, market.stranger),
      await market.sign(listing),
      await market.signCancellation({ ...listing, price: listing.price + 1n }),
      await market.signCancellation({ ...listing, tokenId: 8n }),
      await market.signCancellation({ ...listing, nonce: 2n }),
      await market.signCancellation({ ...listing, expiry: listing.expiry + 1n }),
      await market.signCancellation(listing, market.owner, { ...market.domain, chainId: 31_337 }),
      await market.signCancellation(listing, market.owner, {
        ...market.domain,
        verifyingContract: market.token,
      }),
    ]) {
      await expect(market.cancelBySignature(listing, signature)).rejects.toThrow(
        `SignatureNotOfOwner(${market.owner.address})`,
      );
    }
    expect(await market.stateOf(listing)).toBe('Listed');
  });

  it('if its terms differ from the listing', async () => {
    const listing = market.offer();
    await market.list(listing);
    for (const difference of [{ nonce: 2n }, { price: parseEther('2') }, { expiry: listing.expiry + 1n }]) {
      const other = { ...listing, ...difference };
      await expect(cancelAs(market.owner, other)).rejects.toThrow(`ListingDiffers(${listing.saleId})`);
      await expect(market.cancelBySignature(other)).rejects.toThrow(`ListingDiffers(${listing.saleId})`);
    }
    expect(await market.stateOf(listing)).toBe('Listed');
  });

  it('if the sale is already cancelled or sold', async () => {
    const cancelledBefore = market.offer();
    await cancelAs(market.owner, cancelledBefore);
    await expect(cancelAs(market.owner, cancelledBefore)).rejects.toThrow('AlreadyCancelled');
    await expect(market.cancelBySignature(cancelledBefore)).rejects.toThrow('AlreadyCancelled');

    const sold = market.offer({ saleId: `0x${'5'.repeat(32)}` });
    await market.list(sold);
    await market.buy(sold);
    await expect(cancelAs(market.owner, sold)).rejects.toThrow(`AlreadySold(${sold.saleId})`);
    await expect(market.cancelBySignature(sold)).rejects.toThrow(`AlreadySold(${sold.saleId})`);
  });

  it('or has no effect on the sale of another owner with the same id', async () => {
    const listing = market.offer();
    const hostile = { ...listing, owner: market.stranger.address };
    await cancelAs(market.stranger, hostile);
    expect(await market.list(listing)).toHaveLength(1);
    const moreHostile = { ...listing, owner: market.buyer.address };
    await cancelAs(market.buyer, moreHostile);
    expect(await market.stateOf(listing)).toBe('Listed');
    expect(await market.buy(listing)).toHaveLength(2);
  });
});
