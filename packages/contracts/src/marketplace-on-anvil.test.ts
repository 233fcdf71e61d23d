import { createWalletClient, type Hash, http, parseEther, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { digitalKeyAbi, marketplaceAbi } from './abis.ts';
import { type Deployment, deployContracts } from './deploy.ts';
import { localChain } from './local-chain.ts';
import { type Anvil, startAnvil } from './start-anvil.ts';
import { cancellationTypedData, type Listing, listingTypedData, saleIdBytes } from './typed-data.ts';

const accounts = [0, 1, 2].map((addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }),
);

/** The event does not contain the nonce. */
const listedArguments = ({ nonce: _, ...rest }: Listing) => rest;

describe('the marketplace on a real chain', needs('anvil'), () => {
  let anvil: Anvil | null = null;
  let deployment: Deployment;
  let clients: ReturnType<typeof connect>[];

  function connect(rpcUrl: string, account: (typeof accounts)[number]) {
    const connection = { chain: localChain, transport: http(rpcUrl), pollingInterval: 50 };
    return createWalletClient({ ...connection, account }).extend(publicActions);
  }

  beforeAll(async () => {
    const started = await startAnvil({ chainId: localChain.id });
    anvil = started;
    if (started === null) throw new Error('anvil is no longer installed.');
    clients = accounts.map((account) => connect(started.rpcUrl, account));
    const [deployer] = clients;
    if (deployer) deployment = await deployContracts(deployer);
  });
  afterAll(() => anvil?.stop());

  it('lists by signature, sells, and cancels by signature', async () => {
    const [deployer, owner, buyer] = clients;
    if (!deployer || !owner || !buyer) throw new Error('Expected three accounts.');
    const { digitalKey, marketplace } = deployment;
    const onToken = { address: digitalKey, abi: digitalKeyAbi };
    const onMarketplace = { address: marketplace, abi: marketplaceAbi };
    const succeed = async (hash: Hash) => {
      const receipt = await deployer.waitForTransactionReceipt({ hash });
      expect(receipt.status).toBe('success');
    };
    const codeAt = (blockNumber: bigint) => deployer.getCode({ address: digitalKey, blockNumber });
    expect(await codeAt(deployment.block - 1n)).toBeUndefined();
    expect(await codeAt(deployment.block)).toMatch(/^0x60/);

    for (const tokenId of [7n, 8n]) {
      await succeed(
        await deployer.writeContract({
          ...onToken,
          functionName: 'mint',
          args: [owner.account.address, tokenId],
        }),
      );
    }
    await succeed(
      await owner.writeContract({ ...onToken, functionName: 'setApprovalForAll', args: [marketplace, true] }),
    );

    const domain = { chainId: localChain.id, verifyingContract: marketplace };
    const { timestamp } = await deployer.getBlock();
    const sold = {
      saleId: saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697266'),
      owner: owner.account.address,
      tokenId: 7n,
      nonce: 1n,
      price: parseEther('1.5'),
      expiry: timestamp + 3_600n,
    };
    const withdrawn = { ...sold, saleId: saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697267'), tokenId: 8n };
    for (const listing of [sold, withdrawn]) {
      const signature = await owner.signTypedData(listingTypedData(domain, listing));
      await succeed(
        await buyer.writeContract({ ...onMarketplace, functionName: 'list', args: [listing, signature] }),
      );
    }
    const signature = await owner.signTypedData(cancellationTypedData(domain, withdrawn));
    await succeed(
      await buyer.writeContract({
        ...onMarketplace,
        functionName: 'cancelBySignature',
        args: [withdrawn, signature],
      }),
    );
    const before = await deployer.getBalance({ address: owner.account.address });
    await succeed(
      await buyer.writeContract({
        ...onMarketplace,
        functionName: 'buy',
        args: [sold.owner, sold.tokenId, sold.saleId],
        value: sold.price,
      }),
    );

    expect(await deployer.readContract({ ...onToken, functionName: 'ownerOf', args: [7n] })).toBe(
      buyer.account.address,
    );
    expect(await deployer.readContract({ ...onToken, functionName: 'ownerOf', args: [8n] })).toBe(
      owner.account.address,
    );
    expect(await deployer.getBalance({ address: owner.account.address })).toBe(before + sold.price);
    const events = await deployer.getContractEvents({ ...onMarketplace, fromBlock: deployment.block });
    expect(events.map(({ eventName, args }) => [eventName, args])).toEqual([
      ['Listed', listedArguments(sold)],
      ['Listed', listedArguments(withdrawn)],
      ['Cancelled', { saleId: withdrawn.saleId, tokenId: 8n, owner: owner.account.address }],
      [
        'Sold',
        {
          saleId: sold.saleId,
          tokenId: 7n,
          seller: owner.account.address,
          buyer: buyer.account.address,
          price: sold.price,
        },
      ],
    ]);
    await expect(
      buyer.writeContract({
        ...onMarketplace,
        functionName: 'buy',
        args: [sold.owner, sold.tokenId, sold.saleId],
        value: sold.price,
      }),
    ).rejects.toThrow('AlreadySold');

    // The other token leaves the owner and comes back, with the marketplace still approved for all tokens.
    const outdated = { ...withdrawn, saleId: saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697268') };
    const consent = await owner.signTypedData(listingTypedData(domain, outdated));
    const args = [outdated, consent] as const;
    await succeed(await buyer.writeContract({ ...onMarketplace, functionName: 'list', args }));
    for (const [from, to] of [
      [owner, buyer],
      [buyer, owner],
    ] as const) {
      const route = [from.account.address, to.account.address, 8n] as const;
      await succeed(await from.writeContract({ ...onToken, functionName: 'transferFrom', args: route }));
    }
    await expect(
      buyer.writeContract({
        ...onMarketplace,
        functionName: 'buy',
        args: [outdated.owner, outdated.tokenId, outdated.saleId],
        value: outdated.price,
      }),
    ).rejects.toThrow('ListingOutdated');
  });
});
