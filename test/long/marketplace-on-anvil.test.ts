import { createPrivateKey, sign } from 'node:crypto';
import {
  cancellationTypedData,
  deployContracts,
  digitalKeyAbi,
  type Listing,
  localChain,
  marketplaceAbi,
  saleIdBytes,
  startAnvil,
} from '@keyfront/contracts';
import { askNodeAt, openChainSource } from '@keyfront/evm/chain';
import type { NftListingPage } from '@keyfront/protocol';
import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  toFunctionSelector,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { ChainReader } from '../../packages/server/src/chain/reader/chain-reader.ts';
import { needs } from '../support/requirements.ts';
import { onTestCluster, startService, withDataFolder } from '../support/service-process.ts';
import { createTestDatabase, runSql } from '../support/test-database.ts';
import { until } from '../support/until.ts';

/** The first of the keys that every anvil gives money to. */
const deployer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

interface Envelope<Data> {
  readonly statusCode: number;
  readonly message: string;
  readonly data: Data;
}
interface Sale {
  readonly id: string;
  readonly state: string;
  readonly typedData: {
    readonly message: { readonly nonce: string; readonly expiry: string; readonly price: string };
  } & Parameters<PrivateKeyAccount['signTypedData']>[0];
}
interface Transaction {
  readonly type: string;
  readonly tokenId: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly price: string | null;
  readonly txHash: Hex | null;
  readonly saleId: string | null;
}

/** A chain with the contracts, a service that follows it, and wallets with some money. */
async function withMarket(
  use: (market: Awaited<ReturnType<typeof openMarket>>) => Promise<void>,
): Promise<void> {
  const anvil = await startAnvil({ chainId: localChain.id });
  if (!anvil) throw new Error('There is no anvil');
  try {
    await withDataFolder((dataFolder) =>
      onTestCluster(async (settings) => {
        const market = await openMarket(anvil.rpcUrl, { ...settings, KEYFRONT_DATA: dataFolder });
        await use(market);
        expect(await market.service.end()).toBe(0);
      }),
    );
  } finally {
    await anvil.stop();
  }
}

async function openMarket(
  rpcUrl: string,
  settings: Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'JWT_SECRET' | 'KEYFRONT_DATA', string>,
) {
  const chain = createTestClient({ chain: localChain, mode: 'anvil', transport: http(rpcUrl) }).extend(
    publicActions,
  );
  const walletOf = (account: PrivateKeyAccount) =>
    createWalletClient({ account, chain: localChain, transport: http(rpcUrl), pollingInterval: 50 });
  const contracts = await deployContracts(walletOf(deployer));
  const service = startService({
    ...settings,
    CHAIN_ID: String(localChain.id),
    RPC_URL: rpcUrl,
    TOKEN_CONTRACT: contracts.digitalKey,
    MARKETPLACE_CONTRACT: contracts.marketplace,
  });
  const baseUrl = await service.ready;
  await runSql(
    settings.DATABASE_OWNER_URL,
    `INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane')`,
  );

  const newAccount = async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await chain.setBalance({ address: account.address, value: parseEther('100') });
    return account;
  };
  const send = async (account: PrivateKeyAccount, call: { address: Address; data: Hex; value?: bigint }) => {
    const hash = await walletOf(account).sendTransaction({
      to: call.address,
      data: call.data,
      ...(call.value === undefined ? {} : { value: call.value }),
    });
    const receipt = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(receipt.status).toBe('success');
    return hash;
  };
  const onKey = (data: Hex) => ({ address: contracts.digitalKey, data });
  const onMarketplace = (data: Hex, value?: bigint) => ({
    address: contracts.marketplace,
    data,
    ...(value === undefined ? {} : { value }),
  });
  const call = async <Data>(
    token: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Envelope<Data>> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Envelope<Data>;
  };
  return {
    chain,
    contracts,
    service,
    baseUrl,
    ownerUrl: settings.DATABASE_OWNER_URL,
    rpcUrl,
    newAccount,
    send,
    call,
    mint: (to: Address, tokenId: bigint) =>
      send(
        deployer,
        onKey(encodeFunctionData({ abi: digitalKeyAbi, functionName: 'mint', args: [to, tokenId] })),
      ),
    transfer: (from: PrivateKeyAccount, to: Address, tokenId: bigint) =>
      send(from, onKey(transferData(from.address, to, tokenId))),
    approve: (owner: PrivateKeyAccount, tokenId: bigint) =>
      send(
        owner,
        onKey(
          encodeFunctionData({
            abi: digitalKeyAbi,
            functionName: 'approve',
            args: [contracts.marketplace, tokenId],
          }),
        ),
      ),
    list: (sender: PrivateKeyAccount, listing: Listing, signature: Hex) =>
      send(
        sender,
        onMarketplace(
          encodeFunctionData({ abi: marketplaceAbi, functionName: 'list', args: [listing, signature] }),
        ),
      ),
    cancel: (sender: PrivateKeyAccount, listing: Listing, signature: Hex) =>
      send(
        sender,
        onMarketplace(
          encodeFunctionData({
            abi: marketplaceAbi,
            functionName: 'cancelBySignature',
            args: [listing, signature],
          }),
        ),
      ),
    buy: (buyer: PrivateKeyAccount, { owner, tokenId, saleId, price }: Listing) =>
      send(
        buyer,
        onMarketplace(
          encodeFunctionData({ abi: marketplaceAbi, functionName: 'buy', args: [owner, tokenId, saleId] }),
          price,
        ),
      ),
    signIn: async (account: PrivateKeyAccount): Promise<string> => {
      const { data: nonce } = await call<{ message: string }>('', 'POST', '/auth/nonce', {
        walletAddress: account.address,
      });
      const signature = await account.signMessage({ message: nonce.message });
      const { data } = await call<{ token: string }>('', 'POST', '/auth/signIn', {
        message: nonce.message,
        signature,
      });
      return data.token;
    },
  };
}

function transferData(from: Address, to: Address, tokenId: bigint): Hex {
  return encodeFunctionData({ abi: digitalKeyAbi, functionName: 'transferFrom', args: [from, to, tokenId] });
}

describe('on a real anvil', needs('anvil'), () => {
  it('mint, transfer, list, cancel and buy each appear, and change the owner where they should', async () => {
    await withMarket(async (market) => {
      const [seller, buyer] = [await market.newAccount(), await market.newAccount()];
      const position = async () =>
        Number(
          (await runSql(market.ownerUrl, 'SELECT block_number AS n FROM keyfront.chain_positions'))[0]?.n ??
            -1,
        );
      /** Without another block: what happened shows with its own. */
      const followed = async () => {
        const head = Number(await market.chain.getBlockNumber({ cacheTime: 0 }));
        await until(position, (reached) => reached >= head);
      };
      await market.mint(seller.address, 1n);
      await market.mint(seller.address, 2n);
      await market.mint(seller.address, 3n);
      const transferred = await market.transfer(seller, buyer.address, 3n);
      await followed();
      const sellerToken = await market.signIn(seller);
      const listOf = async (token: string, type: string) =>
        (
          await market.call<{ transactions: Transaction[] }>(
            token,
            'GET',
            `/marketplace/transactions/user?type=${type}`,
          )
        ).data.transactions;
      expect((await listOf(sellerToken, 'MINT')).map(({ tokenId }) => tokenId)).toEqual([3, 2, 1]);
      const buyerToken = await market.signIn(buyer);
      expect(await listOf(buyerToken, 'TRANSFER')).toMatchObject([
        { tokenId: 3, from: seller.address, to: buyer.address, txHash: transferred },
      ]);

      // Listed here by signature, then on the chain: one transaction, which gets its place.
      const offer = async (tokenId: number, price: string) => {
        await market.call(sellerToken, 'PATCH', '/dapp/users/primary-nft', { tokenId });
        const { data: sale } = await market.call<Sale>(sellerToken, 'POST', '/marketplace/nfts/sale', {
          tokenId,
          price,
        });
        const signature = await seller.signTypedData(sale.typedData);
        const path = `/marketplace/nfts/sale/${sale.id}`;
        const listed = await market.call<Sale>(sellerToken, 'PATCH', path, { tokenId, signature });
        expect(listed).toMatchObject({ statusCode: 200, data: { state: 'LISTED' } });
        // The buyer knows nothing but the public listing, and sends it to the contract.
        const { data } = await market.call<NftListingPage>(
          buyerToken,
          'GET',
          `/marketplace/nfts/listings?tokenId=${tokenId}`,
        );
        const [found] = data.listings;
        if (!found) throw new Error(`The digital key ${tokenId} is not listed`);
        const { saleId, owner, ...numbers } = found.typedData.message;
        expect([saleId, owner, found.price]).toEqual([saleIdBytes(sale.id), seller.address, price]);
        const listing: Listing = {
          saleId: saleId as Hex,
          owner: owner as Address,
          tokenId: BigInt(numbers.tokenId),
          nonce: BigInt(numbers.nonce),
          price: BigInt(numbers.price),
          expiry: BigInt(numbers.expiry),
        };
        return { sale, path, listing, hash: await market.list(buyer, listing, found.signature as Hex) };
      };
      const first = await offer(1, '1.5');
      const second = await offer(2, '0.000000000000000001');
      await followed();
      expect(await listOf(sellerToken, 'LIST')).toMatchObject([
        { tokenId: 2, price: '0.000000000000000001', txHash: second.hash, saleId: second.sale.id },
        { tokenId: 1, price: '1.5', txHash: first.hash, saleId: first.sale.id },
      ]);

      const domain = { chainId: localChain.id, verifyingContract: market.contracts.marketplace };
      const withdrawal = await seller.signTypedData(cancellationTypedData(domain, second.listing));
      const cancelled = await market.cancel(buyer, second.listing, withdrawal);
      await followed();
      expect(await listOf(sellerToken, 'LIST_CANCEL')).toMatchObject([{ tokenId: 2, txHash: cancelled }]);
      expect(await market.call<Sale>(sellerToken, 'GET', second.path)).toMatchObject({
        data: { state: 'CANCELLED' },
      });

      // Sold: the buyer has it, and the seller's keys for it are dead.
      await market.call(sellerToken, 'PATCH', '/dapp/users/primary-nft', { tokenId: 1 });
      const { data: key } = await market.call<{ apiKey: string; secretKey: string; tokenId: number }>(
        sellerToken,
        'POST',
        '/keys',
        { keyName: 'Storefront' },
      );
      expect(key.tokenId).toBe(1);
      const askSigned = () =>
        fetch(`${market.baseUrl}/planets`, {
          headers: {
            'x-auth-apikey': key.apiKey,
            'x-auth-signature': sign(
              'sha256',
              Buffer.from('{}'),
              createPrivateKey(Buffer.from(key.secretKey, 'base64').toString()),
            ).toString('base64'),
          },
        });
      expect((await askSigned()).status).toBe(200);
      await market.approve(seller, 1n);
      const sold = await market.buy(buyer, first.listing);
      await followed();
      expect(await listOf(buyerToken, 'SALE')).toMatchObject([
        {
          tokenId: 1,
          from: seller.address,
          to: buyer.address,
          price: '1.5',
          txHash: sold,
          saleId: first.sale.id,
        },
      ]);
      expect((await askSigned()).status).toBe(401);
      const { data: owned } = await market.call<{ nfts: { tokenId: number }[] }>(
        buyerToken,
        'GET',
        '/dapp/users/nfts',
      );
      expect(owned.nfts.map(({ tokenId }) => tokenId)).toEqual([1, 3]);
      const again = await market.call(sellerToken, 'PATCH', first.path, {
        tokenId: 1,
        signature: withdrawal,
      });
      expect(again).toMatchObject({ statusCode: 403, code: 'NOT_OWNED' });
      const { data: left } = await market.call<NftListingPage>(
        buyerToken,
        'GET',
        '/marketplace/nfts/listings',
      );
      expect(left.listings).toEqual([]);

      // A digital key that leaves and comes back. The old listing is void; a new draft is valid.
      const outdated = await offer(2, '2');
      await market.transfer(seller, buyer.address, 2n);
      await market.transfer(buyer, seller.address, 2n);
      await market.approve(seller, 2n);
      await followed();
      expect(await market.call<Sale>(sellerToken, 'GET', outdated.path)).toMatchObject({
        data: { state: 'CANCELLED' },
      });
      await expect(market.buy(buyer, outdated.listing)).rejects.toThrow(
        toFunctionSelector('ListingOutdated(bytes16,uint256)'),
      );
      const current = await offer(2, '3');
      expect([outdated, current].map(({ listing }) => listing.nonce)).toEqual([1n, 3n]);
      await market.buy(buyer, current.listing);
      await followed();
      expect((await listOf(buyerToken, 'SALE')).map(({ saleId }) => saleId)).toEqual([
        current.sale.id,
        first.sale.id,
      ]);
    });
  });

  it('reorganisations of depth 1 to 10 leave the same tables as one reading of the final chain', async () => {
    await withMarket(async (market) => {
      const accounts = [
        await market.newAccount(),
        await market.newAccount(),
        await market.newAccount(),
      ] as const;
      const [ada, ben, cleo] = accounts;
      let tokenId = 0n;
      for (let depth = 1; depth <= 10; depth++) {
        await market.mint(ada.address, ++tokenId);
        await market.transfer(ada, ben.address, tokenId);
        if (depth > 2) await market.chain.mine({ blocks: depth - 2 });
        const head = Number(await market.chain.getBlockNumber({ cacheTime: 0 }));
        await until(
          () => readPosition(market.ownerUrl),
          (position) => position === head,
        );
        // The new branch lacks what the dropped blocks had (for depth 1 only the transfer), and mints another one.
        const other = encodeFunctionData({
          abi: digitalKeyAbi,
          functionName: 'mint',
          args: [cleo.address, 1_000n + tokenId],
        });
        await market.chain.request({
          method: 'anvil_reorg' as never,
          params: [
            depth,
            [[{ from: deployer.address, to: market.contracts.digitalKey, data: other }, depth - 1]],
          ] as never,
        });
        await market.chain.mine({ blocks: 1 });
        const newHead = await market.chain.getBlock();
        await until(
          () => readPosition(market.ownerUrl),
          (position) => position === Number(newHead.number),
        );
        await until(
          () => readHash(market.ownerUrl, Number(newHead.number)),
          (hash) => hash === newHead.hash,
        );
        expect(await readChainTables(market.ownerUrl)).toEqual(await readFromScratch(market));
      }
    });
  });
});

const readPosition = async (url: string) =>
  Number((await runSql(url, 'SELECT block_number AS n FROM keyfront.chain_positions'))[0]?.n ?? -1);
const readHash = async (url: string, number: number) =>
  (
    await runSql<{ hash: string }>(url, 'SELECT hash FROM keyfront.chain_blocks WHERE number = $1', [number])
  )[0]?.hash;

/** All that comes from the chain. */
async function readChainTables(url: string) {
  const owners = await runSql(
    url,
    `SELECT token_id AS token, wallet_address AS owner, acquired_at AS since, nonce
     FROM keyfront.digital_keys JOIN keyfront.holders ON holders.id = holder_id ORDER BY token_id`,
  );
  const transactions = await runSql(
    url,
    `SELECT type, token_id, from_address, to_address, price, tx_hash, log_index, block_number, occurred_at
     FROM keyfront.transactions ORDER BY block_number, log_index`,
  );
  return { owners, transactions };
}

/** The same from a database that has never seen another chain than the present one. */
async function readFromScratch({
  rpcUrl,
  contracts,
}: {
  rpcUrl: string;
  contracts: { digitalKey: Address; marketplace: Address };
}) {
  const scratch = await createTestDatabase();
  try {
    await runSql(scratch.ownerUrl, `INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane')`);
    const watched = {
      token: contracts.digitalKey.toLowerCase(),
      marketplace: contracts.marketplace.toLowerCase(),
    };
    const reader = new ChainReader({
      database: scratch.database,
      source: openChainSource(askNodeAt(rpcUrl, new AbortController().signal), watched),
      name: { chainId: localChain.id, contracts: watched },
      startBlock: 0,
    });
    for (let outcome = await reader.step(); outcome !== 'waiting'; outcome = await reader.step());
    return await readChainTables(scratch.ownerUrl);
  } finally {
    await scratch.close();
  }
}
