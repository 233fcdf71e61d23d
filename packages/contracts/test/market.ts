import { fileURLToPath } from 'node:url';
import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEther,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { digitalKeyAbi, marketplaceAbi } from '../src/abis.ts';
import { compileOnce } from '../src/compile-once.ts';
import { readContracts } from '../src/read-contracts.ts';
import {
  cancellationTypedData,
  type Listing,
  listingTypedData,
  type MarketplaceDomain,
  saleIdBytes,
} from '../src/typed-data.ts';
import { EvmChain } from './evm-chain.ts';

/** The functions of TestWallet.sol that tests call. */
export const testWalletAbi = parseAbi([
  'constructor(address signer_)',
  'function refuse(bool ether_, bool tokens)',
  'function prepareAttack(address target, uint256 value, bytes data)',
  'function execute(address target, uint256 value, bytes data) payable',
  'function wasAttackTried() view returns (bool)',
  'function didAttackSucceed() view returns (bool)',
  'function attackAnswer() view returns (bytes)',
]);

const walletPath = fileURLToPath(new URL('TestWallet.sol', import.meta.url));
const accountOf = (number: number) => privateKeyToAccount(`0x${String(number).padStart(64, '0')}`);

/** Encoded call data by function. */
export const calls = {
  mint: (to: Address, tokenId: bigint) =>
    encodeFunctionData({ abi: digitalKeyAbi, functionName: 'mint', args: [to, tokenId] }),
  approve: (operator: Address, tokenId: bigint) =>
    encodeFunctionData({ abi: digitalKeyAbi, functionName: 'approve', args: [operator, tokenId] }),
  approveForAll: (operator: Address) =>
    encodeFunctionData({ abi: digitalKeyAbi, functionName: 'setApprovalForAll', args: [operator, true] }),
  transfer: (from: Address, to: Address, tokenId: bigint) =>
    encodeFunctionData({ abi: digitalKeyAbi, functionName: 'transferFrom', args: [from, to, tokenId] }),
  list: (listing: Listing, signature: Hex) =>
    encodeFunctionData({ abi: marketplaceAbi, functionName: 'list', args: [listing, signature] }),
  cancel: (listing: Listing) =>
    encodeFunctionData({ abi: marketplaceAbi, functionName: 'cancel', args: [listing] }),
  cancelBySignature: (listing: Listing, signature: Hex) =>
    encodeFunctionData({
      abi: marketplaceAbi,
      functionName: 'cancelBySignature',
      args: [listing, signature],
    }),
  buy: ({ owner, tokenId, saleId }: Pick<Listing, 'owner' | 'tokenId' | 'saleId'>) =>
    encodeFunctionData({ abi: marketplaceAbi, functionName: 'buy', args: [owner, tokenId, saleId] }),
};

/** Returns the only event of a listing, which does not contain the nonce. */
export function listedEvents(marketplace: Address, { nonce: _, ...args }: Listing) {
  return [{ address: marketplace, eventName: 'Listed', args }];
}

/** Deploys a marketplace on a new chain. The owner has token 7 and has approved the marketplace for it. */
export async function openMarket() {
  const chain = await EvmChain.open();
  const [deployer, owner, buyer, stranger] = [accountOf(1), accountOf(2), accountOf(3), accountOf(4)];
  const contracts = await readContracts();
  const token = await chain.deploy(deployer.address, encodeDeployData(contracts.digitalKey));
  const marketplace = await chain.deploy(
    deployer.address,
    encodeDeployData({ ...contracts.marketplace, args: [token] }),
  );
  const domain: MarketplaceDomain = { chainId: chain.chainId, verifyingContract: marketplace };
  for (const { address } of [buyer, stranger]) await chain.setBalance(address, parseEther('100'));

  const onToken = (from: Address, data: Hex) => chain.send({ from, to: token, data });
  const onMarketplace = (from: Address, data: Hex, value = 0n) =>
    chain.send({ from, to: marketplace, data, value });
  const mint = (to: Address, tokenId: bigint) => onToken(deployer.address, calls.mint(to, tokenId));
  await mint(owner.address, 7n);
  await onToken(owner.address, calls.approve(marketplace, 7n));

  const sign = (listing: Listing, signer: PrivateKeyAccount = owner, where = domain) =>
    signer.signTypedData(listingTypedData(where, listing));
  const signCancellation = (listing: Listing, signer: PrivateKeyAccount = owner, where = domain) =>
    signer.signTypedData(cancellationTypedData(where, listing));

  return {
    ...{ chain, token, marketplace, domain, deployer, owner, buyer, stranger },
    ...{ onToken, onMarketplace, mint, sign, signCancellation },

    offer: (differences: Partial<Listing> = {}): Listing => ({
      saleId: saleIdBytes('0199c9bb-b271-7add-a2d8-6c0aca697266'),
      owner: owner.address,
      tokenId: 7n,
      // The nonce of a token that was minted and has not moved.
      nonce: 1n,
      price: parseEther('1.5'),
      expiry: chain.now + 3_600n,
      ...differences,
    }),

    /** Submits a listing as a stranger, with the owner's valid signature by default. */
    list: async (listing: Listing, signature?: Hex) =>
      onMarketplace(stranger.address, calls.list(listing, signature ?? (await sign(listing)))),

    /** Submits a cancellation as a stranger, with the owner's valid signature by default. */
    cancelBySignature: async (listing: Listing, signature?: Hex) =>
      onMarketplace(
        stranger.address,
        calls.cancelBySignature(listing, signature ?? (await signCancellation(listing))),
      ),

    buy: (listing: Listing, value = listing.price) => onMarketplace(buyer.address, calls.buy(listing), value),

    ownerOf: async (tokenId: bigint) => {
      const call = { abi: digitalKeyAbi, functionName: 'ownerOf', args: [tokenId] } as const;
      return decodeFunctionResult({ ...call, data: await chain.read(token, encodeFunctionData(call)) });
    },

    nonceOf: async (tokenId: bigint) => {
      const call = { abi: digitalKeyAbi, functionName: 'nonces', args: [tokenId] } as const;
      return decodeFunctionResult({ ...call, data: await chain.read(token, encodeFunctionData(call)) });
    },

    transfer: (from: Address, to: Address, tokenId = 7n) => onToken(from, calls.transfer(from, to, tokenId)),

    stateOf: async (listing: Listing) => {
      const args = [listing.owner, listing.tokenId, listing.saleId] as const;
      const call = { abi: marketplaceAbi, functionName: 'states', args } as const;
      const data = await chain.read(marketplace, encodeFunctionData(call));
      return ['Unknown', 'Listed', 'Cancelled', 'Sold'][decodeFunctionResult({ ...call, data })];
    },

    /** Deploys a smart wallet that accepts signatures of this account. */
    deployWallet: async (signer: PrivateKeyAccount): Promise<Address> => {
      const { TestWallet } = await compileOnce([walletPath]);
      if (!TestWallet) throw new Error('TestWallet.sol must define TestWallet.');
      const { bytecode } = TestWallet;
      return chain.deploy(
        deployer.address,
        encodeDeployData({ abi: testWalletAbi, bytecode, args: [signer.address] }),
      );
    },
  };
}
