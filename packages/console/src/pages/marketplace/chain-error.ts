import {
  BaseError,
  ContractFunctionRevertedError,
  InsufficientFundsError,
  UserRejectedRequestError,
} from 'viem';

/** What the errors of the contract mean for a visitor. */
const contractErrors: Readonly<Record<string, string>> = {
  AlreadyListed: 'The digital key is listed already',
  AlreadyCancelled: 'The seller has cancelled the sale',
  AlreadySold: 'Another buyer was faster',
  NotListed: 'The seller has not listed the digital key on the chain yet',
  ListingExpired: 'The offer has ended',
  ListingDiffers: 'The sale is listed on the chain with other terms',
  ListingOutdated: 'The digital key has changed its owner since the offer was made',
  SignatureNotOfOwner: 'The offer was not signed by the owner of the digital key',
  TokenNotOwned: 'The seller no longer owns the digital key',
  MarketplaceNotApproved: 'The seller has not allowed the marketplace to move the digital key',
  WrongPrice: 'The price has changed',
  PaymentRefused: 'The wallet of the seller does not accept the payment',
};

/** Says in a sentence why a transaction failed. The messages of viem are pages long. */
export function explainChainError(error: Error): Error {
  if (!(error instanceof BaseError)) return error;
  const rejected = error.walk((cause) => cause instanceof UserRejectedRequestError);
  if (rejected) return new Error('You have refused the request in your wallet', { cause: error });
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  const name = reverted instanceof ContractFunctionRevertedError ? reverted.data?.errorName : undefined;
  const isTooPoor = error.walk((cause) => cause instanceof InsufficientFundsError) !== null;
  const sentence = isTooPoor ? 'The account has too little Ether for this' : name && contractErrors[name];
  return sentence ? new Error(sentence, { cause: error }) : error;
}
