import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digitalKeyAbi, localChain, marketplaceAbi } from '@keyfront/contracts';
import type { NftSale, Transaction } from '@keyfront/protocol';
import {
  BaseError,
  ContractFunctionRevertedError,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  parseEther,
  publicActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DemoChain, startDemoChain } from '../support/demo-chain.ts';
import {
  openTerminal,
  type ProgramRun,
  readCode,
  readDocument,
  readMarketPrograms,
  readMoves,
  readPrograms,
  readSteps,
  readTables,
  type Terminal,
  toPattern,
} from '../support/guide-programs.ts';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const guide = readDocument('docs/guides/marketplace.md');
const programs = readMarketPrograms(guide);
const steps = readSteps(guide);

/** For the files of one test. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-guide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface DemoHolder {
  readonly walletPrivateKey: Hex;
  readonly walletAddress: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** The third terminal of the guide, with its programs saved, beside a chain and a service that follows it. */
interface Market {
  readonly chain: DemoChain;
  readonly baseUrl: string;
  readonly holders: readonly [DemoHolder, DemoHolder];
  readonly terminal: Terminal;
  /** Runs a command after the settings of the guide. */
  run(command: string): Promise<ProgramRun>;
  /** The state of a sale, whoever it belongs to now. */
  readState(saleId: string): Promise<string | undefined>;
  /** The status of a request that is signed with the API key of a demo holder. */
  askSigned(holder: DemoHolder): Promise<number>;
}

const rpcUrlInGuide = 'http://127.0.0.1:8545';

/** The digital keys of the demo holders whose mint the service has not read yet. */
async function countUnreadTokens(ownerUrl: string): Promise<number> {
  const [row] = await runSql<{ unread: number }>(
    ownerUrl,
    `SELECT count(*)::int AS unread FROM keyfront.digital_keys WHERE token_id IN (1001, 1002, 2001) AND nonce = 0`,
  );
  return row?.unread ?? 0;
}

async function withMarket(use: (market: Market) => Promise<void>): Promise<void> {
  await onDemoDatabase(async (settings) => {
    const dataFolder = settings.KEYFRONT_DATA;
    const chain = await startDemoChain(dataFolder);
    try {
      const service = startService({ ...settings, ...chain.settings });
      const baseUrl = await service.ready;
      await until(
        () => countUnreadTokens(settings.DATABASE_OWNER_URL),
        (unread) => unread === 0,
      );
      const { holders } = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
      const terminal = openTerminal(folder, dataFolder);
      for (const [name, text] of Object.entries(programs)) await writeFile(join(terminal.cwd, name), text);
      const [preparation] = steps;
      const rpcUrl = chain.settings.RPC_URL ?? '';
      await use({
        chain,
        baseUrl,
        holders,
        terminal,
        run: (command) =>
          terminal.run(`${preparation?.program}\n${command}`.replaceAll(rpcUrlInGuide, rpcUrl)),
        readState: async (saleId) => {
          const [sale] = await runSql<{ state: string }>(
            settings.DATABASE_OWNER_URL,
            'SELECT state FROM keyfront.nft_sales WHERE id = $1',
            [saleId],
          );
          return sale?.state;
        },
        askSigned: async ({ apiKey, secretKey }) => {
          const key = createPrivateKey(Buffer.from(secretKey, 'base64').toString());
          const signature = sign('sha256', Buffer.from('{}'), key).toString('base64');
          const headers = { 'x-auth-apikey': apiKey, 'x-auth-signature': signature };
          return (await fetch(`${baseUrl}/planets`, { headers })).status;
        },
      });
      await service.end();
    } finally {
      await chain.stop();
    }
  });
}

/** The wallet of a holder in this process, for steps that are not programs of the guide and need no shell. */
async function openWallet({ chain, baseUrl }: Market, { walletPrivateKey }: DemoHolder) {
  const { RPC_URL: rpcUrl, TOKEN_CONTRACT, MARKETPLACE_CONTRACT } = chain.settings;
  const account = privateKeyToAccount(walletPrivateKey);
  const client = createWalletClient({ account, chain: localChain, transport: http(rpcUrl) }).extend(
    publicActions,
  );
  const call = async <Data>(token: string | null, method: string, path: string, body?: object) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const content = body && JSON.stringify(body);
    const response = await fetch(baseUrl + path, { method, headers, ...(content && { body: content }) });
    const { success, message, data } = (await response.json()) as {
      success: boolean;
      message: string;
      data: Data;
    };
    if (!success) throw new Error(message);
    return data;
  };
  const nonce = { walletAddress: account.address };
  const { message } = await call<{ message: string }>(null, 'POST', '/auth/nonce', nonce);
  const signIn = { message, signature: await account.signMessage({ message }) };
  const { token } = await call<{ token: string }>(null, 'POST', '/auth/signIn', signIn);

  const path = '/marketplace/nfts/sale';
  const readSale = (id: string) => call<NftSale>(token, 'GET', `${path}/${id}`);
  const waitFor = (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
  /** Signs `typedData`, which must be this step. */
  const signStep = async (id: string, step: 'Listing' | 'Cancellation') => {
    const { tokenId, typedData } = await readSale(id);
    if (typedData?.primaryType !== step) throw new Error(`${typedData?.primaryType} is to be signed`);
    const { saleId, owner, ...numbers } = typedData.message;
    const listing = {
      saleId,
      owner,
      tokenId: BigInt(numbers.tokenId),
      nonce: BigInt(numbers.nonce),
      price: BigInt(numbers.price),
      expiry: BigInt(numbers.expiry),
    };
    const signature = await account.signTypedData(typedData as Parameters<typeof account.signTypedData>[0]);
    return { tokenId, listing: listing as never, signature };
  };
  return {
    draft: async (tokenId: number, price: string) => {
      await call(token, 'PATCH', '/dapp/users/primary-nft', { tokenId });
      return (await call<NftSale>(token, 'POST', path, { tokenId, price })).id;
    },
    /** Hands a signed step to the service alone. */
    patch: async (id: string, step: 'Listing' | 'Cancellation') => {
      const { tokenId, signature } = await signStep(id, step);
      await call(token, 'PATCH', `${path}/${id}`, { tokenId, signature });
    },
    /** Hands a signed step to the contract alone. */
    send: async (id: string, step: 'Listing' | 'Cancellation') => {
      const { listing, signature } = await signStep(id, step);
      const functionName = step === 'Listing' ? 'list' : 'cancelBySignature';
      const address = MARKETPLACE_CONTRACT as Hex;
      const request = { address, abi: marketplaceAbi, functionName, args: [listing, signature] } as const;
      expect((await waitFor(await client.writeContract(request))).status).toBe('success');
    },
    /** The error with which the contract refuses a purchase. */
    refusalOfBuying: async (seller: string, tokenId: bigint, id: string, price: string) => {
      const args = [seller as Hex, tokenId, `0x${id.replaceAll('-', '')}`] as const;
      const address = MARKETPLACE_CONTRACT as Hex;
      const request = {
        address,
        abi: marketplaceAbi,
        functionName: 'buy',
        args,
        value: parseEther(price),
      } as const;
      const error = await client.simulateContract(request).catch((error: unknown) => error);
      const reverted =
        error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
      return reverted instanceof ContractFunctionRevertedError ? reverted.data?.errorName : error;
    },
    giveAway: async (tokenId: bigint, to: Hex) =>
      waitFor(
        await client.writeContract({
          address: TOKEN_CONTRACT as Hex,
          abi: digitalKeyAbi,
          functionName: 'transferFrom',
          args: [account.address, to, tokenId],
        }),
      ),
  };
}

/** What a successful program has printed. */
function outputOf({ code, stdout, stderr }: ProgramRun): string {
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trimEnd();
}

describe('the marketplace guide on a chain', needs('anvil'), () => {
  it('has commands that print the documented output and transactions, and no secret', async () => {
    await withMarket(async ({ chain, holders, terminal, run, readState, askSigned }) => {
      const [, startCommand = ''] = readPrograms(guide, 'Set up a local chain', 'sh');
      const printed = chain.command
        .replace(/^KEYFRONT_DATA=\S+ /, '')
        .replace(chain.settings.RPC_URL ?? '', rpcUrlInGuide);
      expect(startCommand.trim().replace(/ \\\n +/, ' ')).toBe(printed);
      const [buyer, seller] = holders;
      expect([await askSigned(seller), await askSigned(buyer)]).toEqual([200, 200]);

      const [, ...commands] = steps;
      const ran = await run(commands.map(({ program }) => `${program}\nprintf '\\0'`).join('\n'));
      expect(ran.stderr).toBe('');
      expect(ran.stdout.split('\0')).toEqual([
        ...commands.map(({ output }) => expect.stringMatching(toPattern(output))),
        '',
      ]);
      for (const secret of [buyer.walletPrivateKey, seller.walletPrivateKey]) {
        expect(terminal.readCommands()).not.toContain(secret.slice(2));
        expect(ran.stdout).not.toContain(secret.slice(2));
      }

      // The seller's keys for it are dead, and the sale is sold.
      expect([await askSigned(seller), await askSigned(buyer)]).toEqual([401, 200]);
      await writeFile(
        join(terminal.cwd, 'show.mjs'),
        `import { signIn } from './market.mjs';
         const ask = await signIn();
         const { transactions } = await ask('GET', '/marketplace/transactions/user?take=100');
         console.log(JSON.stringify(transactions));`,
      );
      const shown: Transaction[] = JSON.parse(outputOf(await run('seller show.mjs')));

      // What the demo invented is in blocks that this chain does not reach.
      const onChain = shown.filter(
        ({ tokenId, blockNumber }) => tokenId === 2001 && blockNumber !== null && blockNumber < 10_000,
      );
      expect(onChain.map(({ type }) => type).sort()).toEqual([
        ...['LIST', 'LIST', 'LIST_CANCEL', 'MINT', 'SALE', 'TRANSFER'],
      ]);
      const [rows = []] = readTables(guide, 'Transactions');
      const inTable = rows.map(([type = '', ...cells]) => [...readCode(type), ...cells.slice(0, 3)]);
      const seen = onChain.map(({ type, from, to, price }) =>
        JSON.stringify([type, from !== null, to !== null, price !== null]),
      );
      expect(new Set(seen)).toEqual(
        new Set(
          inTable.map(([type, ...cells]) => JSON.stringify([type, ...cells.map((cell) => cell !== 'null')])),
        ),
      );
      const sold = onChain.find(({ type }) => type === 'SALE');
      const cancelled = onChain.find(({ type }) => type === 'LIST_CANCEL');
      const states = [sold, cancelled].map((each) => readState(each?.saleId ?? ''));
      expect(await Promise.all(states)).toEqual(['SOLD', 'CANCELLED']);
      expect(sold).toMatchObject({ price: '1.5', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
      expect([sold?.from, sold?.to].map((address) => address?.toLowerCase())).toEqual(
        [seller, buyer].map(({ walletAddress }) => walletAddress.toLowerCase()),
      );
    });
  });

  it('documents every state change of a sale, and its programs print errors without secrets', async () => {
    await withMarket(async (market) => {
      const { chain, holders, run } = market;
      const [buyer, seller] = await Promise.all(holders.map((holder) => openWallet(market, holder)));
      if (!buyer || !seller) throw new Error('The demo has two holders');
      const moves: string[] = [];
      const become = async (id: string, from: string, to: string) => {
        await until(
          () => market.readState(id),
          (state) => state === to,
        );
        moves.push(`${from} --> ${to}`);
      };
      const refusalOf = async (command: string) => {
        const { code, stdout, stderr } = await run(command);
        expect([code, stdout]).toEqual([1, '']);
        return stderr.trimEnd();
      };
      const [firstHolder, secondHolder] = holders;
      const offer = `export SELLER=${secondHolder.walletAddress} TOKEN_ID=2001 PRICE=1.5`;
      const resale = `export SELLER=${firstHolder.walletAddress} TOKEN_ID=2001 PRICE=1.5`;

      // Only on the chain.
      const drafted = await seller.draft(2001, '1.5');
      await become(drafted, '[*]', 'DRAFT');
      expect(await refusalOf(`${offer}; seller list.mjs`)).toBe('The digital key has an open sale already');
      expect(await refusalOf(`SALE_ID=${drafted} seller cancel.mjs`)).toMatch(
        /^Cannot sign a Cancellation: the sale is DRAFT and expires at \d{4}-/,
      );
      expect(await refusalOf(`${offer}; SALE_ID=${drafted} buyer buy.mjs`)).toBe('NotListed');
      await seller.send(drafted, 'Listing');
      await become(drafted, 'DRAFT', 'LISTED');
      const sellerAddress = secondHolder.walletAddress;
      expect(await buyer.refusalOfBuying(sellerAddress, 2001n, drafted, '1.5')).toBe(
        'MarketplaceNotApproved',
      );
      await seller.send(drafted, 'Cancellation');
      await become(drafted, 'LISTED', 'CANCELLED');

      // Only with the service, which is not enough.
      const withdrawn = outputOf(await run(`${offer}; seller list.mjs`));
      await seller.patch(withdrawn, 'Cancellation');
      await become(withdrawn, 'LISTED', 'CANCELLED');
      expect(await buyer.refusalOfBuying(sellerAddress, 2001n, withdrawn, '1.4')).toBe('WrongPrice');
      expect(await buyer.refusalOfBuying(sellerAddress, 2002n, withdrawn, '1.5')).toBe('NotListed');
      outputOf(await run(`${offer}; SALE_ID=${withdrawn} buyer buy.mjs`));
      await become(withdrawn, 'CANCELLED', 'SOLD');
      expect(await buyer.refusalOfBuying(sellerAddress, 2001n, withdrawn, '1.5')).toBe('AlreadySold');

      // A wallet that the service did not know buys.
      const newcomer = generatePrivateKey();
      const control = createTestClient({ mode: 'anvil', transport: http(chain.settings.RPC_URL) });
      const { address } = privateKeyToAccount(newcomer);
      await control.setBalance({ address, value: parseEther('10') });
      const resold = outputOf(await run(`${resale}; buyer list.mjs`));
      const bought = await run(`${resale}; SALE_ID=${resold} WALLET_KEY=${newcomer} node buy.mjs`);
      expect(outputOf(bought)).toBe('SALE of 2001 for 1.5 ETH\nThe wallet has 2001');
      await become(resold, 'LISTED', 'SOLD');

      // Given away while a draft of it is open.
      const given = await buyer.draft(1001, '2');
      await buyer.giveAway(1001n, address);
      await become(given, 'DRAFT', 'CANCELLED');
      expect([...new Set(moves)].sort()).toEqual(readMoves(guide, 'States of a sale').sort());

      const lost = 'http://127.0.0.1:1/a-secret';
      const refused = await refusalOf(`export RPC_URL=${lost}; ${offer}; SALE_ID=${resold} buyer buy.mjs`);
      expect(refused).toBe('HTTP request failed.');
    });
  });
});
