import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPublicClient, http, isAddress, parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { needs } from '../../../../test/support/requirements.ts';
import { digitalKeyAbi, marketplaceAbi } from '../abis.ts';
import { findAnvil } from '../find-anvil.ts';

/** The compiled file that `npm run chain` runs. */
const entry = fileURLToPath(new URL('../../dist/cli/chain.js', import.meta.url));
const holders = [
  { name: 'Amira', walletAddress: '0x0199C9Bbb2714ADDE2d86C0ACa6972666D000001', tokenIds: [1001, 1002] },
  { name: 'Joris', walletAddress: '0x0199C9Bbb2714ADDE2d86C0ACa6972666D000002', tokenIds: [2001] },
].map((holder) => ({ ...holder, walletAddress: holder.walletAddress.toLowerCase() }));

let folder: string;
let children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-chain-'));
});
afterEach(async () => {
  // SIGTERM instead of SIGKILL, so that the command stops its anvil too.
  for (const child of children)
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close');
  children = [];
  await rm(folder, { recursive: true, force: true });
});

function runChain(args: string[], environment: Record<string, string> = { KEYFRONT_DATA: folder }) {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed.text += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => ({
    how: signal ?? code,
    text: printed.text,
  }));
  return { child, printed, ended };
}

describe('npm run chain', () => {
  it('prints help', async () => {
    const { how, text } = await runChain(['--help']).ended;
    expect(how).toBe(0);
    for (const word of ['--port', '--block-time', 'ANVIL', 'KEYFRONT_DATA']) expect(text).toContain(word);
  });

  it('fails with a message for an invalid option or without demo data', async () => {
    expect(await runChain(['--port', 'x']).ended).toEqual({
      how: 1,
      text: '--port must be a whole number from 0 to 65535, not "x".\n',
    });
    expect(await runChain([]).ended).toEqual({
      how: 1,
      text: `${join(folder, 'demo.json')} does not exist. Run npm start once to create the demo data.\n`,
    });
  });

  it('reads the data folder from a .env file', async () => {
    await writeFile(join(folder, '.env'), 'KEYFRONT_DATA=elsewhere\n');
    const { text } = await runChain([], {}).ended;
    expect(text).toContain(join('elsewhere', 'demo.json'));
  });

  if (findAnvil({}) === null) {
    it('explains how to install anvil if npm has no build for this platform', async () => {
      await writeFile(join(folder, 'demo.json'), JSON.stringify({ holders }));
      const { how, text } = await runChain([]).ended;
      expect(how).toBe(1);
      expect(text).toMatch(
        /^npm has no build of anvil for this platform .* ANVIL=\/path\/to\/anvil npm run chain\n$/,
      );
    });
  }
});

const anvil = findAnvil();
describe('npm run chain with anvil', needs('anvil'), () => {
  it('gives wallets their keys and ether, prints the start command, mines blocks and stops on a signal', async () => {
    await writeFile(join(folder, 'demo.json'), JSON.stringify({ holders }));
    const { child, printed, ended } = runChain(['--port', '0', '--block-time', '1'], {
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
