import {
  BaseError,
  ContractFunctionRevertedError,
  InsufficientFundsError,
  UserRejectedRequestError,
} from 'viem';
import { texts } from '../../texts/marketplace.ts';

/** What the errors of the contract mean for a visitor. */
const contractErrors: Readonly<Record<string, string>> = {
  AlreadyListed: texts.digitalKeyIsListedAlready,
  AlreadyCancelled: texts.sellerHasCancelledSale,
  AlreadySold: texts.anotherBuyerWasFaster,
  NotListed: texts.sellerHasNotListedDigitalKey,
  ListingExpired: texts.offerHasEnded,
  ListingDiffers: texts.saleIsListedOnChainWith,
  ListingOutdated: texts.digitalKeyHasChangedItsOwner,
  SignatureNotOfOwner: texts.offerWasNotSignedByOwner,
  TokenNotOwned: texts.sellerNoLongerOwnsDigitalKey,
  MarketplaceNotApproved: texts.sellerHasNotAllowedMarketplaceTo,
  WrongPrice: texts.priceHasChanged,
  PaymentRefused: texts.walletOfSellerDoesNotAccept,
};

/** Says in a sentence why a transaction failed. The messages of viem are pages long. */
export function explainChainError(error: Error): Error {
  if (!(error instanceof BaseError)) return error;
  const rejected = error.walk((cause) => cause instanceof UserRejectedRequestError);
  if (rejected) return new Error('You have refused the request in your wallet', { cause: error });
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  const name = reverted instanceof ContractFunctionRevertedError ? reverted.data?.errorName : undefined;
  const isTooPoor = error.walk((cause) => cause instanceof InsufficientFundsError) !== null;
  const sentence = isTooPoor ? texts.accountHasTooLittleEtherFor : name && contractErrors[name];
  return sentence ? new Error(sentence, { cause: error }) : error;
}
