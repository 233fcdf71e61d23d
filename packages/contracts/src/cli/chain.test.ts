import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPublicClient, http, isAddress, parseEther } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { makeChainFolder, runChain } from '../../../../test/support/chain-command.ts';
import { needs } from '../../../../test/support/requirements.ts';
import { digitalKeyAbi, marketplaceAbi } from '../abis.ts';
import { findAnvil } from '../find-anvil.ts';

const holders = [
  { name: 'Amira', walletAddress: '0x0199C9Bbb2714ADDE2d86C0ACa6972666D000001', tokenIds: [1001, 1002] },
  { name: 'Joris', walletAddress: '0x0199C9Bbb2714ADDE2d86C0ACa6972666D000002', tokenIds: [2001] },
].map((holder) => ({ ...holder, walletAddress: holder.walletAddress.toLowerCase() }));

const anvil = findAnvil();
describe('npm run chain with anvil', needs('anvil'), () => {
  it('gives wallets their keys and ether, prints the start command, mines blocks and stops on a signal', async () => {
    const folder = await makeChainFolder();
    await writeFile(join(folder, 'demo.json'), JSON.stringify({ holders }));
    const { child, printed, ended } = runChain(folder, ['--port', '0', '--block-time', '1'], {
      KEYFRONT_DATA: folder,
      ANVIL: anvil ?? '',
    });
    const waitOptions = { timeout: 60_000, interval: 50 };
    await vi.waitFor(() => expect(printed.text).toContain(' npm start\n'), waitOptions);

    const command = printed.text.split('\n').find((line) => line.endsWith(' npm start')) ?? '';
    const settings = Object.fromEntries(command.split(' ').map((word) => word.split('=')));
    expect(settings).toMatchObject({ KEYFRONT_DATA: folder, CHAIN_ID: '31337' });
    const { TOKEN_CONTRACT: token, MARKETPLACE_CONTRACT: marketplace } = settings;
    if (!isAddress(token) || !isAddress(marketplace)) throw new Error(`No addresses in: ${command}`);
    const client = createPublicClient({ transport: http(settings.RPC_URL, { retryCount: 0 }) });

    expect(
      await client.readContract({ address: marketplace, abi: marketplaceAbi, functionName: 'token' }),
    ).toBe(token);
    const minted = await client.getContractEvents({
      address: token,
      abi: digitalKeyAbi,
      eventName: 'Transfer',
      fromBlock: BigInt(settings.CHAIN_START_BLOCK),
    });
    expect(minted.map(({ args }) => [args.to?.toLowerCase(), Number(args.tokenId)])).toEqual(
      holders.flatMap(({ walletAddress, tokenIds }) => tokenIds.map((tokenId) => [walletAddress, tokenId])),
    );
    for (const { walletAddress } of holders) {
      if (!isAddress(walletAddress)) throw new Error(`${walletAddress} is not an address.`);
      expect(await client.getBalance({ address: walletAddress })).toBe(parseEther('100'));
    }
    const block = await client.getBlockNumber();
    await vi.waitFor(
      async () => expect(await client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThan(block),
      waitOptions,
    );

    child.kill('SIGINT');
    expect((await ended).how).toBe(0);
    await vi.waitFor(() => expect(client.getChainId()).rejects.toThrow(), waitOptions);
  }, 120_000);
});
