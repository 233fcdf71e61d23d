import { decodeFunctionResult, encodeFunctionData, zeroAddress } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, openMarket } from '../test/market.ts';
import { digitalKeyAbi } from './abis.ts';

let market: Awaited<ReturnType<typeof openMarket>>;
beforeEach(async () => {
  market = await openMarket();
});

describe('a digital key', () => {
  it('has a name and a symbol, and supports ERC-721', async () => {
    for (const [call, expected] of [
      [{ abi: digitalKeyAbi, functionName: 'name' }, 'Keyfront Digital Key'],
      [{ abi: digitalKeyAbi, functionName: 'symbol' }, 'KEY'],
      [{ abi: digitalKeyAbi, functionName: 'supportsInterface', args: ['0x80ac58cd'] }, true],
    ] as const) {
      const data = await market.chain.read(market.token, encodeFunctionData(call));
      expect(decodeFunctionResult({ ...call, data })).toBe(expected);
    }
  });

  it('is minted by the deployer with a transfer from the zero address', async () => {
    const to = market.stranger.address;
    expect(await market.mint(to, 8n)).toEqual([
      { address: market.token, eventName: 'Transfer', args: { from: zeroAddress, to, tokenId: 8n } },
    ]);
    expect(await market.ownerOf(8n)).toBe(to);
  });

  it('counts the changes of its owner', async () => {
    const { owner, stranger } = market;
    expect(await market.nonceOf(8n)).toBe(0n);
    await market.mint(owner.address, 8n);
    expect(await market.nonceOf(8n)).toBe(1n);
    await market.transfer(owner.address, stranger.address, 8n);
    await market.transfer(stranger.address, owner.address, 8n);
    expect(await market.nonceOf(8n)).toBe(3n);
    await market.transfer(owner.address, owner.address, 8n);
    await market.onToken(owner.address, calls.approve(stranger.address, 8n));
    expect(await market.nonceOf(8n)).toBe(3n);
    expect(await market.nonceOf(7n)).toBe(1n);
  });

  it('cannot be minted by anyone else', async () => {
    const { address } = market.stranger;
    await expect(market.onToken(address, calls.mint(address, 8n))).rejects.toThrow(
      `OwnableUnauthorizedAccount(${address})`,
    );
  });

  it('cannot be minted twice', async () => {
    await expect(market.mint(market.stranger.address, 7n)).rejects.toThrow(
      `ERC721InvalidSender(${zeroAddress})`,
    );
    expect(await market.ownerOf(7n)).toBe(market.owner.address);
  });
});
