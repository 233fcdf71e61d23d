import { parseEther } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, openMarket } from '../test/market.ts';

let market: Awaited<ReturnType<typeof openMarket>>;
beforeEach(async () => {
  market = await openMarket();
});
const cancelAs = (from: { address: `0x${string}` }, listing: ReturnType<typeof market.offer>) =>
  market.onMarketplace(from.address, calls.cancel(listing));

/** The event of a cancellation, with nothing beside it. */
function cancelled({ saleId, tokenId, owner }: ReturnType<typeof market.offer>) {
  return [{ address: market.marketplace, eventName: 'Cancelled', args: { saleId, tokenId, owner } }];
}

describe('cancelling', () => {
  it('withdraws a listing, by the owner himself', async () => {
    const listing = market.offer();
    await market.list(listing);
    expect(await cancelAs(market.owner, listing)).toEqual(cancelled(listing));
    expect(await market.stateOf(listing)).toBe('Cancelled');
    await expect(market.buy(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
  });

  it('withdraws a listing by the owner’s signature, whoever hands it in', async () => {
    const listing = market.offer();
    await market.list(listing);
    expect(await market.cancelBySignature(listing)).toEqual(cancelled(listing));
    await expect(market.buy(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
  });

  it('keeps a listing that was signed but not handed in from ever being listed', async () => {
    const listing = market.offer();
    expect(await cancelAs(market.owner, listing)).toEqual(cancelled(listing));
    await expect(market.list(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
    await expect(market.list({ ...listing, price: 1n })).rejects.toThrow(
      `AlreadyCancelled(${listing.saleId})`,
    );
  });

  it('does the same by signature', async () => {
    const listing = market.offer();
    expect(await market.cancelBySignature(listing)).toEqual(cancelled(listing));
    await expect(market.list(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
  });

  it('takes the signature of a smart wallet (ERC-1271)', async () => {
    const wallet = await market.deployWallet(market.owner);
    const listing = market.offer({ owner: wallet });
    await expect(
      market.cancelBySignature(listing, await market.signCancellation(listing, market.stranger)),
    ).rejects.toThrow(`SignatureNotOfOwner(${wallet})`);
    expect(await market.cancelBySignature(listing)).toEqual(cancelled(listing));
  });

  it('is the owner’s right after the expiry too, but a signature has expired then', async () => {
    const listing = market.offer();
    await market.list(listing);
    market.chain.now = listing.expiry + 1n;
    await expect(market.cancelBySignature(listing)).rejects.toThrow(
      `ListingExpired(${listing.saleId},${listing.expiry})`,
    );
    expect(await cancelAs(market.owner, listing)).toEqual(cancelled(listing));
  });

  it('by signature is possible in the last second of the expiry', async () => {
    const listing = market.offer();
    await market.list(listing);
    market.chain.now = listing.expiry;
    expect(await market.cancelBySignature(listing)).toEqual(cancelled(listing));
  });
});

describe('a cancellation is refused', () => {
  it('to anybody but the owner', async () => {
    const listing = market.offer();
    await market.list(listing);
    await expect(cancelAs(market.stranger, listing)).rejects.toThrow(
      `CallerIsNotOwner(${market.stranger.address},${market.owner.address})`,
    );
    expect(await market.stateOf(listing)).toBe('Listed');
  });

  it('with a signature that is not the owner’s cancellation of just this listing here', async () => {
    const listing = market.offer();
    await market.list(listing);
    for (const signature of [
      await market.signCancellation(listing, market.stranger),
      await market.sign(listing),
      await market.signCancellation({ ...listing, price: listing.price + 1n }),
      await market.signCancellation({ ...listing, tokenId: 8n }),
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

  it('when it names other terms than the ones that are listed', async () => {
    const listing = market.offer();
    await market.list(listing);
    for (const difference of [{ tokenId: 8n }, { price: parseEther('2') }, { expiry: listing.expiry + 1n }]) {
      const other = { ...listing, ...difference };
      await expect(cancelAs(market.owner, other)).rejects.toThrow(`ListingDiffers(${listing.saleId})`);
      await expect(market.cancelBySignature(other)).rejects.toThrow(`ListingDiffers(${listing.saleId})`);
    }
    expect(await market.stateOf(listing)).toBe('Listed');
  });

  it('a second time, and after the sale', async () => {
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

  it('of no use against another’s sale with the same id, before and after it is listed', async () => {
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
