import { concatHex, decodeFunctionResult, encodeFunctionData, type Hex, sliceHex, zeroAddress } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, openMarket } from '../test/market.ts';
import { marketplaceAbi } from './abis.ts';
import { saleIdBytes } from './typed-data.ts';

let market: Awaited<ReturnType<typeof openMarket>>;
beforeEach(async () => {
  market = await openMarket();
});
const anotherId = saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697267');

describe('listing', () => {
  it('lists with the owner’s signature, submitted by anyone, and emits Listed', async () => {
    const listing = market.offer();
    expect(await market.stateOf(listing)).toBe('Unknown');
    expect(await market.list(listing)).toEqual([
      { address: market.marketplace, eventName: 'Listed', args: { ...listing } },
    ]);
    expect(await market.stateOf(listing)).toBe('Listed');
    expect(await market.ownerOf(7n)).toBe(market.owner.address);
  });

  it('stores the listing for buyers', async () => {
    const { saleId, owner, tokenId, price, expiry } = market.offer();
    const call = { abi: marketplaceAbi, functionName: 'listings', args: [saleId] } as const;
    const read = async () =>
      decodeFunctionResult({
        ...call,
        data: await market.chain.read(market.marketplace, encodeFunctionData(call)),
      });
    expect((await read())[1]).toBe(zeroAddress);
    await market.list(market.offer());
    expect(await read()).toEqual([saleId, owner, tokenId, price, expiry]);
  });

  it('lets a smart wallet verify its own signature (ERC-1271)', async () => {
    const wallet = await market.deployWallet(market.owner);
    await market.mint(wallet, 8n);
    const listing = market.offer({ owner: wallet, tokenId: 8n });
    const error = `SignatureNotOfOwner(${wallet})`;
    await expect(market.list(listing, await market.sign(listing, market.stranger))).rejects.toThrow(error);
    expect(await market.list(listing, await market.sign(listing, market.owner))).toEqual([
      { address: market.marketplace, eventName: 'Listed', args: { ...listing } },
    ]);
  });

  it('is possible up to and including the expiry', async () => {
    const listing = market.offer();
    market.chain.now = listing.expiry + 1n;
    await expect(market.list(listing)).rejects.toThrow(`ListingExpired(${listing.saleId},${listing.expiry})`);
    market.chain.now = listing.expiry;
    expect(await market.list(listing)).toHaveLength(1);
  });

  it('publishes its EIP-712 domain (ERC-5267)', async () => {
    const call = { abi: marketplaceAbi, functionName: 'eip712Domain' } as const;
    const data = await market.chain.read(market.marketplace, encodeFunctionData(call));
    expect(decodeFunctionResult({ ...call, data }).slice(1, 5)).toEqual([
      'Keyfront Marketplace',
      '1',
      BigInt(market.chain.chainId),
      market.marketplace,
    ]);
  });
});

describe('a listing is rejected', () => {
  it('if the signature is malformed or not the owner’s', async () => {
    const listing = market.offer();
    const good = await market.sign(listing);
    const signatures: Hex[] = [
      await market.sign(listing, market.stranger),
      await market.signCancellation(listing),
      '0x',
      sliceHex(good, 0, 64),
      concatHex([good, '0x00']),
      `0x${'00'.repeat(65)}`,
    ];
    for (const signature of signatures) {
      await expect(market.list(listing, signature), signature).rejects.toThrow(
        `SignatureNotOfOwner(${market.owner.address})`,
      );
    }
    expect(await market.stateOf(listing)).toBe('Unknown');
  });

  it('if any field differs from the signed one', async () => {
    await market.mint(market.owner.address, 8n);
    const signed = market.offer();
    const signature = await market.sign(signed);
    for (const difference of [
      { saleId: anotherId },
      { tokenId: 8n },
      { price: signed.price - 1n },
      { expiry: signed.expiry + 1n },
    ]) {
      await expect(market.list({ ...signed, ...difference }, signature)).rejects.toThrow(
        'SignatureNotOfOwner',
      );
    }
    const asStranger = { ...signed, owner: market.stranger.address };
    await expect(market.list(asStranger, signature)).rejects.toThrow(
      `SignatureNotOfOwner(${market.stranger.address})`,
    );
    expect(await market.list(signed, signature)).toHaveLength(1);
  });

  it('if it was signed for another chain or contract', async () => {
    const listing = market.offer();
    for (const difference of [{ chainId: 31_337 }, { verifyingContract: market.token }]) {
      const signature = await market.sign(listing, market.owner, { ...market.domain, ...difference });
      await expect(market.list(listing, signature)).rejects.toThrow('SignatureNotOfOwner');
    }
  });

  it('if the signer does not own the token or it does not exist', async () => {
    const listing = market.offer({ owner: market.stranger.address });
    await expect(market.list(listing, await market.sign(listing, market.stranger))).rejects.toThrow(
      `TokenNotOwned(7,${market.stranger.address})`,
    );
    await expect(market.list(market.offer({ tokenId: 99n }))).rejects.toThrow('ERC721NonexistentToken(99)');

    const formerlyMine = market.offer();
    await market.onToken(
      market.owner.address,
      calls.transfer(market.owner.address, market.buyer.address, 7n),
    );
    await expect(market.list(formerlyMine)).rejects.toThrow(`TokenNotOwned(7,${market.owner.address})`);
  });

  it('if the id is already listed, cancelled or sold', async () => {
    const listing = market.offer();
    await market.list(listing);
    await expect(market.list(listing)).rejects.toThrow(`AlreadyListed(${listing.saleId})`);
    const cheaper = market.offer({ price: 1n });
    await expect(market.list(cheaper)).rejects.toThrow(`AlreadyListed(${listing.saleId})`);
    await market.onMarketplace(market.owner.address, calls.cancel(listing));
    await expect(market.list(listing)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);
    await expect(market.list(cheaper)).rejects.toThrow(`AlreadyCancelled(${listing.saleId})`);

    const next = market.offer({ saleId: anotherId });
    await market.list(next);
    await market.buy(next);
    // The token returns to its former owner. The old signature stays invalid.
    await market.onToken(
      market.buyer.address,
      calls.transfer(market.buyer.address, market.owner.address, 7n),
    );
    await expect(market.list(next)).rejects.toThrow(`AlreadySold(${anotherId})`);
  });

  it('if another owner has listed the id', async () => {
    const listing = market.offer();
    await market.list(listing);
    await market.mint(market.stranger.address, 8n);
    const other = market.offer({ owner: market.stranger.address, tokenId: 8n });
    await expect(market.list(other, await market.sign(other, market.stranger))).rejects.toThrow(
      `AlreadyListed(${listing.saleId})`,
    );
  });
});
