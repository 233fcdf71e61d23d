import {
  concatHex,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  sliceHex,
  zeroAddress,
} from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, listedEvents, openMarket } from '../test/market.ts';
import { marketplaceAbi } from './abis.ts';
import { readContracts } from './read-contracts.ts';
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
    expect(await market.list(listing)).toEqual(listedEvents(market.marketplace, listing));
    expect(await market.stateOf(listing)).toBe('Listed');
    expect(await market.ownerOf(7n)).toBe(market.owner.address);
  });

  it('stores the listing for buyers', async () => {
    const { saleId, owner, tokenId, nonce, price, expiry } = market.offer();
    const args = [owner, tokenId, saleId] as const;
    const call = { abi: marketplaceAbi, functionName: 'listings', args } as const;
    const read = async () =>
      decodeFunctionResult({
        ...call,
        data: await market.chain.read(market.marketplace, encodeFunctionData(call)),
      });
    expect((await read())[1]).toBe(zeroAddress);
    await market.list(market.offer());
    expect(await read()).toEqual([saleId, owner, tokenId, nonce, price, expiry]);
  });

  it('lets a smart wallet verify its own signature (ERC-1271)', async () => {
    const wallet = await market.deployWallet(market.owner);
    await market.mint(wallet, 8n);
    const listing = market.offer({ owner: wallet, tokenId: 8n });
    const error = `SignatureNotOfOwner(${wallet})`;
    await expect(market.list(listing, await market.sign(listing, market.stranger))).rejects.toThrow(error);
    expect(await market.list(listing, await market.sign(listing, market.owner))).toEqual(
      listedEvents(market.marketplace, listing),
    );
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
      '2',
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
      { nonce: signed.nonce + 1n },
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
    await market.transfer(market.owner.address, market.buyer.address);
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
    await market.transfer(market.buyer.address, market.owner.address);
    await expect(market.list(next)).rejects.toThrow(`AlreadySold(${anotherId})`);
  });

  it('if the token has left the owner and come back since it was signed', async () => {
    const { owner, buyer, stranger } = market;
    const listing = market.offer();
    const signature = await market.sign(listing);
    await market.transfer(owner.address, stranger.address);
    await expect(market.list(listing, signature)).rejects.toThrow(`TokenNotOwned(7,${owner.address})`);
    await market.transfer(stranger.address, buyer.address);
    await market.transfer(buyer.address, owner.address);
    await expect(market.list(listing, signature)).rejects.toThrow(`ListingOutdated(${listing.saleId},1)`);
    expect(await market.stateOf(listing)).toBe('Unknown');
    expect(await market.list(market.offer({ nonce: await market.nonceOf(7n) }))).toHaveLength(1);
  });

  it('if it names a nonce that the token does not have yet', async () => {
    const listing = market.offer({ nonce: 2n });
    await expect(market.list(listing)).rejects.toThrow(`ListingOutdated(${listing.saleId},2)`);
  });
});

describe('the id of a sale', () => {
  it('cannot be occupied by another owner', async () => {
    const { stranger } = market;
    await market.mint(stranger.address, 8n);
    const hostile = market.offer({ owner: stranger.address, tokenId: 8n });
    await market.list(hostile, await market.sign(hostile, stranger));

    const listing = market.offer();
    expect(hostile.saleId).toBe(listing.saleId);
    expect(await market.list(listing)).toEqual(listedEvents(market.marketplace, listing));
    await market.buy(listing);
    expect(await market.ownerOf(7n)).toBe(market.buyer.address);
    expect(await market.stateOf(hostile)).toBe('Listed');
  });

  it('cannot be occupied by an earlier owner of the same token', async () => {
    const { owner, buyer } = market;
    await market.list(market.offer());
    await market.transfer(owner.address, buyer.address);
    const listing = market.offer({ owner: buyer.address, nonce: 2n });
    expect(await market.list(listing, await market.sign(listing, buyer))).toHaveLength(1);
  });

  it('stands for one token of the owner each', async () => {
    await market.mint(market.owner.address, 8n);
    const [seven, eight] = [market.offer(), market.offer({ tokenId: 8n, price: 5n })];
    await market.list(seven);
    await market.list(eight);
    await market.onMarketplace(market.owner.address, calls.cancel(seven));
    expect(await market.stateOf(seven)).toBe('Cancelled');
    expect(await market.stateOf(eight)).toBe('Listed');
  });
});

describe('the marketplace', () => {
  it('cannot be deployed for a token that does not count changes of owner', async () => {
    const { marketplace } = await readContracts();
    const wallet = await market.deployWallet(market.owner);
    for (const token of [market.stranger.address, wallet, market.marketplace]) {
      const data = encodeDeployData({ ...marketplace, args: [token] });
      await expect(market.chain.deploy(market.deployer.address, data)).rejects.toThrow('revert');
    }
  });
});
