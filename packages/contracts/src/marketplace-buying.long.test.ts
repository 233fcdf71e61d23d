import { type Address, decodeFunctionResult, encodeFunctionData, parseEther, zeroAddress } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeRevert } from '../test/evm-chain.ts';
import { calls, openMarket, testWalletAbi } from '../test/market.ts';
import { type Listing, saleIdBytes } from './typed-data.ts';

let market: Awaited<ReturnType<typeof openMarket>>;
beforeEach(async () => {
  market = await openMarket();
});
const anotherId = saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697267');

/** Makes a smart wallet buy, with ether that is sent along. */
const buyWith = (wallet: Address, listing: Listing, ether = listing.price) =>
  market.chain.send({
    from: market.stranger.address,
    to: wallet,
    value: ether,
    data: encodeFunctionData({
      abi: testWalletAbi,
      functionName: 'execute',
      args: [market.marketplace, listing.price, calls.buy(listing)],
    }),
  });

const callWallet = (wallet: Address, data: `0x${string}`) =>
  market.chain.send({ from: market.stranger.address, to: wallet, data });

const refuse = (wallet: Address, what: { ether?: boolean; tokens?: boolean }) =>
  callWallet(
    wallet,
    encodeFunctionData({
      abi: testWalletAbi,
      functionName: 'refuse',
      args: [what.ether ?? false, what.tokens ?? false],
    }),
  );

/** Lists a token of a smart wallet. */
async function listTokenOf(wallet: Address): Promise<Listing> {
  await market.mint(wallet, 8n);
  await callWallet(
    wallet,
    encodeFunctionData({
      abi: testWalletAbi,
      functionName: 'execute',
      args: [market.token, 0n, calls.approve(market.marketplace, 8n)],
    }),
  );
  const listing = market.offer({ saleId: anotherId, owner: wallet, tokenId: 8n });
  await market.list(listing);
  return listing;
}

/** Returns the result of a wallet's reentrancy attack. */
async function readAttack(wallet: Address) {
  const read = async (functionName: 'wasAttackTried' | 'didAttackSucceed' | 'attackAnswer') => {
    const call = { abi: testWalletAbi, functionName } as const;
    return decodeFunctionResult({ ...call, data: await market.chain.read(wallet, encodeFunctionData(call)) });
  };
  const data = await read('attackAnswer');
  return {
    wasTried: await read('wasAttackTried'),
    didSucceed: await read('didAttackSucceed'),
    revert: typeof data === 'string' ? describeRevert(data) : null,
  };
}

describe('buying', () => {
  it('transfers the token to the buyer and the price to the seller, and emits Sold', async () => {
    const listing = market.offer();
    await market.list(listing);
    const { saleId, tokenId, price, owner } = listing;
    const buyer = market.buyer.address;
    expect(await market.buy(listing)).toEqual([
      {
        address: market.marketplace,
        eventName: 'Sold',
        args: { saleId, tokenId, seller: owner, buyer, price },
      },
      { address: market.token, eventName: 'Transfer', args: { from: owner, to: buyer, tokenId } },
    ]);
    expect(await market.ownerOf(7n)).toBe(buyer);
    expect(await market.stateOf(listing)).toBe('Sold');
    expect(await market.chain.balanceOf(owner)).toBe(price);
    expect(await market.chain.balanceOf(buyer)).toBe(parseEther('100') - price);
    expect(await market.chain.balanceOf(market.marketplace)).toBe(0n);
  });

  it('works with an approval for all tokens', async () => {
    await market.mint(market.owner.address, 8n);
    await market.onToken(market.owner.address, calls.approveForAll(market.marketplace));
    const listing = market.offer({ tokenId: 8n });
    await market.list(listing);
    await market.buy(listing);
    expect(await market.ownerOf(8n)).toBe(market.buyer.address);
  });

  it('works between smart wallets', { tags: ['long'] }, async () => {
    const seller = await market.deployWallet(market.owner);
    const buyer = await market.deployWallet(market.buyer);
    const listing = await listTokenOf(seller);
    await buyWith(buyer, listing);
    expect(await market.ownerOf(8n)).toBe(buyer);
    expect(await market.chain.balanceOf(seller)).toBe(listing.price);
  });

  it('rejects a buyer who names another owner or token', async () => {
    const listing = market.offer();
    await market.list(listing);
    for (const difference of [{ tokenId: 8n }, { owner: market.stranger.address }]) {
      await expect(market.buy({ ...listing, ...difference })).rejects.toThrow(`NotListed(${listing.saleId})`);
    }
    expect(await market.ownerOf(7n)).toBe(market.owner.address);
  });

  it('allows the new owner to sell the token again', async () => {
    const first = market.offer();
    await market.list(first);
    await market.buy(first);
    await market.onToken(market.buyer.address, calls.approve(market.marketplace, 7n));
    const second = market.offer({
      saleId: anotherId,
      owner: market.buyer.address,
      nonce: 2n,
      price: parseEther('3'),
    });
    await market.list(second, await market.sign(second, market.buyer));
    await market.onMarketplace(market.stranger.address, calls.buy(second), second.price);
    expect(await market.ownerOf(7n)).toBe(market.stranger.address);
  });

  it('is possible up to and including the expiry', async () => {
    const listing = market.offer();
    await market.list(listing);
    market.chain.now = listing.expiry + 1n;
    await expect(market.buy(listing)).rejects.toThrow(`ListingExpired(${listing.saleId},${listing.expiry})`);
    market.chain.now = listing.expiry;
    await market.buy(listing);
    expect(await market.ownerOf(7n)).toBe(market.buyer.address);
  });
});

describe('a purchase is rejected', () => {
  it('if the sale was never listed', async () => {
    const listing = market.offer();
    await expect(market.buy(listing)).rejects.toThrow(`NotListed(${listing.saleId})`);
  });

  it('for more or less than the price', async () => {
    const listing = market.offer();
    await market.list(listing);
    for (const value of [0n, listing.price - 1n, listing.price + 1n]) {
      await expect(market.buy(listing, value)).rejects.toThrow(`WrongPrice(${value},${listing.price})`);
    }
    expect(await market.chain.balanceOf(market.buyer.address)).toBe(parseEther('100'));
    expect(await market.ownerOf(7n)).toBe(market.owner.address);
  });

  it('if the token is already sold', async () => {
    const listing = market.offer();
    await market.list(listing);
    await market.buy(listing);
    await expect(market.buy(listing)).rejects.toThrow(`AlreadySold(${listing.saleId})`);
  });

  it('if the seller no longer owns the token', async () => {
    const listing = market.offer();
    await market.list(listing);
    await market.transfer(market.owner.address, market.stranger.address);
    // An approval by the new owner does not make the former owner's listing valid.
    await market.onToken(market.stranger.address, calls.approve(market.marketplace, 7n));
    await expect(market.buy(listing)).rejects.toThrow(`TokenNotOwned(7,${market.owner.address})`);
  });

  it('if the token has left the seller and come back, even with an approval for all tokens', async () => {
    const { owner, stranger } = market;
    await market.onToken(owner.address, calls.approveForAll(market.marketplace));
    const listing = market.offer();
    await market.list(listing);
    await market.transfer(owner.address, stranger.address);
    await market.transfer(stranger.address, owner.address);
    await expect(market.buy(listing)).rejects.toThrow(`ListingOutdated(${listing.saleId},1)`);
    expect(await market.ownerOf(7n)).toBe(owner.address);

    // The owner sells again with a sale of its own. The outdated listing stays void.
    const next = market.offer({ saleId: anotherId, nonce: 3n, price: parseEther('2') });
    await market.list(next);
    await expect(market.buy(listing)).rejects.toThrow(`ListingOutdated(${listing.saleId},1)`);
    await market.buy(next);
    expect(await market.ownerOf(7n)).toBe(market.buyer.address);
  });

  it('if the token was bought and sold back to the seller', async () => {
    const { owner, buyer } = market;
    await market.onToken(owner.address, calls.approveForAll(market.marketplace));
    const cheap = market.offer();
    const taken = market.offer({ saleId: anotherId });
    await market.list(cheap);
    await market.list(taken);
    await market.buy(taken);
    await market.transfer(buyer.address, owner.address);
    await expect(market.buy(cheap)).rejects.toThrow(`ListingOutdated(${cheap.saleId},1)`);
  });

  it('unless the token has only been transferred to its owner', async () => {
    const { owner } = market;
    await market.onToken(owner.address, calls.approveForAll(market.marketplace));
    const listing = market.offer();
    await market.list(listing);
    await market.transfer(owner.address, owner.address);
    await market.buy(listing);
    expect(await market.ownerOf(7n)).toBe(market.buyer.address);
  });

  it('until the marketplace is approved', async () => {
    const listing = market.offer();
    await market.list(listing);
    await market.onToken(market.owner.address, calls.approve(zeroAddress, 7n));
    await expect(market.buy(listing)).rejects.toThrow('MarketplaceNotApproved(7)');
    await market.onToken(market.owner.address, calls.approve(market.marketplace, 7n));
    await market.buy(listing);
    expect(await market.ownerOf(7n)).toBe(market.buyer.address);
  });

  it('and fully reverted if the seller refuses the payment', async () => {
    const seller = await market.deployWallet(market.owner);
    const listing = await listTokenOf(seller);
    await refuse(seller, { ether: true });
    await expect(market.buy(listing)).rejects.toThrow(`PaymentRefused(${seller})`);
    expect(await market.ownerOf(8n)).toBe(seller);
    expect(await market.stateOf(listing)).toBe('Listed');
    expect(await market.chain.balanceOf(market.buyer.address)).toBe(parseEther('100'));
  });

  it('and fully reverted if the buyer refuses the token', async () => {
    const buyer = await market.deployWallet(market.buyer);
    await refuse(buyer, { tokens: true });
    const listing = market.offer();
    await market.list(listing);
    await expect(buyWith(buyer, listing)).rejects.toThrow(`ERC721InvalidReceiver(${buyer})`);
    expect(await market.stateOf(listing)).toBe('Listed');
    expect(await market.ownerOf(7n)).toBe(market.owner.address);
  });
});

describe('a wallet that reenters the marketplace', () => {
  const prepare = (wallet: Address, value: bigint, data: `0x${string}`) =>
    callWallet(
      wallet,
      encodeFunctionData({
        abi: testWalletAbi,
        functionName: 'prepareAttack',
        args: [market.marketplace, value, data],
      }),
    );

  it('cannot buy again as the buyer, neither the same sale nor another one', async () => {
    await market.mint(market.owner.address, 8n);
    await market.onToken(market.owner.address, calls.approve(market.marketplace, 8n));
    const other = market.offer({ saleId: anotherId, tokenId: 8n });
    await market.list(other);
    const listing = market.offer();
    await market.list(listing);

    for (const [target, bought] of [
      [other, listing],
      [other, other],
    ] as const) {
      const buyer = await market.deployWallet(market.buyer);
      await prepare(buyer, target.price, calls.buy(target));
      await buyWith(buyer, bought, bought.price + target.price);
      expect(await readAttack(buyer)).toEqual({
        wasTried: true,
        didSucceed: false,
        revert: 'ReentrancyGuardReentrantCall()',
      });
      expect(await market.ownerOf(bought.tokenId)).toBe(buyer);
      expect(await market.chain.balanceOf(buyer)).toBe(target.price);
    }
  });

  it('cannot cancel the sale as the seller', async () => {
    const seller = await market.deployWallet(market.owner);
    const listing = await listTokenOf(seller);
    await prepare(seller, 0n, calls.cancel(listing));
    await market.buy(listing);
    expect(await readAttack(seller)).toEqual({
      wasTried: true,
      didSucceed: false,
      revert: `AlreadySold(${listing.saleId})`,
    });
    expect(await market.stateOf(listing)).toBe('Sold');
  });
});
