import type { NftListing, NftSale, NftSaleTypedData } from '@keyfront/sdk';
import type { Address, Hex } from 'viem';
import { pageSettings } from '../../page-settings.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { getSession } from '../../session/session-store.ts';
import { texts } from '../../texts/marketplace.ts';
import { openSessionWallet, type SessionWallet } from '../../wallets/session-wallet.ts';
import type { ListingTerms, MarketplaceContract } from './marketplace-contract.ts';

/** Tells what happens now, or what the visitor has to do. */
type OnStep = (step: string) => void;

const readIntervalMs = 1_000;
const maxReads = 60;

/**
 * Offers the digital key of a draft: by a signature, and on the chain if the wallet reaches it. The approval comes before the
 * service learns of the offer, so that a visitor who refuses it keeps a draft.
 */
export async function listSale(sale: NftSale, onStep: OnStep): Promise<NftSale> {
  const wallet = await openWallet();
  onStep(texts.signOfferInName(wallet.name));
  const typedData = typedDataOf(sale);
  const signature = await wallet.signTypedData(typedData);
  const market = await openContract(wallet, typedData);
  if (market && !(await market.contract.isApproved(market.terms))) {
    onStep(texts.allowMarketplaceInNameToMove(wallet.name));
    await market.contract.approve(market.terms.tokenId);
  }
  const listed = await getKeyfront().nftSales.update(sale.id, { tokenId: sale.tokenId, signature });
  if (market) {
    onStep(texts.confirmListingInName(wallet.name));
    await market.contract.list(market.terms, signature);
  }
  return listed;
}

/**
 * Takes an offer back. The chain comes first: an offer that the service no longer shows, but the contract still accepts, could be
 * bought.
 */
export async function cancelSale(sale: NftSale, onStep: OnStep): Promise<NftSale> {
  const wallet = await openWallet();
  onStep(texts.signCancellationInName(wallet.name));
  const typedData = typedDataOf(sale);
  const signature = await wallet.signTypedData(typedData);
  const market = await openContract(wallet, typedData);
  const { nftSales } = getKeyfront();
  if (!market) return nftSales.update(sale.id, { tokenId: sale.tokenId, signature });
  onStep(texts.confirmCancellationInName(wallet.name));
  await market.contract.cancel(market.terms, signature);
  onStep(texts.cancelledWaitingUntilServiceHasRead);
  return pollFor(async () => {
    const now = await nftSales.get(sale.id);
    return now.state === 'LISTED' ? null : now;
  });
}

/** Buys a digital key, and waits until the service has read that it is ours. */
export async function buyListing(listing: NftListing, onStep: OnStep): Promise<void> {
  const wallet = await openWallet();
  const market = await openContract(wallet, listing.typedData);
  if (!market) {
    throw new Error(
      `${wallet.name} cannot send transactions. Sign in with a wallet that is installed in this browser.`,
    );
  }
  const { parseEther } = await import('viem');
  // What the visitor has read must be what they pay.
  if (parseEther(listing.price) !== market.terms.price)
    throw new Error('The price of the offer is not valid');
  if ((await market.contract.stateOf(market.terms)) === 'unknown' && listing.signature !== null) {
    onStep(texts.confirmInNameThatOfferIs(wallet.name));
    await market.contract.list(market.terms, listing.signature as Hex);
  }
  onStep(texts.confirmPurchaseInName(wallet.name));
  await market.contract.buy(market.terms);
  onStep(texts.boughtWaitingUntilServiceHasRead);
  await pollFor(async () => {
    const { nfts } = await getKeyfront().holder.nfts();
    return nfts.find(({ tokenId }) => tokenId === listing.tokenId) ?? null;
  });
}

async function openWallet(): Promise<SessionWallet> {
  const session = getSession();
  if (!session) throw new Error('Sign in first');
  return openSessionWallet(session);
}

/** The contract and the terms of the offer; null if the wallet or the service has no chain. */
async function openContract(
  wallet: SessionWallet,
  typedData: NftSaleTypedData,
): Promise<{ readonly contract: MarketplaceContract; readonly terms: ListingTerms } | null> {
  const { marketplaceContract } = pageSettings;
  if (marketplaceContract === null || !wallet.openChain) return null;
  if (typedData.domain.verifyingContract.toLowerCase() !== marketplaceContract.toLowerCase()) {
    throw new Error('The offer is for another marketplace');
  }
  // Loaded on demand, because it brings the encoding of contract calls.
  const { openMarketplace, readTerms } = await import('./marketplace-contract.ts');
  const contract = await openMarketplace(await wallet.openChain(), marketplaceContract as Address);
  return { contract, terms: readTerms(typedData) };
}

function typedDataOf({ typedData, state }: NftSale): NftSaleTypedData {
  if (!typedData) throw new Error(`A sale that is ${state.toLowerCase()} has nothing to sign`);
  return typedData;
}

/** Reads until there is something. */
async function pollFor<Found>(read: () => Promise<Found | null>): Promise<Found> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    const found = await read();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, readIntervalMs));
  }
  throw new Error('The transaction is in a block that the service has not read yet. Look again in a minute.');
}
