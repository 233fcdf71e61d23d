import { administratorSignInType, type SignedInHolder, type SignInRequest } from '@keyfront/protocol';
import { ApiError, validationFailed } from '../../api-error.ts';
import type { Chain } from '../../chain/smart-wallet.ts';
import { findSignatureFault } from '../../chain/wallet-signature.ts';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/scope.ts';
import { lockTokens, signInHolder } from '../holders/holder-rules.ts';
import { type ExpectedMessage, findMessageFault } from './check-sign-in-message.ts';
import { consumeNonce, isNonceValid } from './nonce-queries.ts';
import { findSignInType, parseMessage } from './sign-in-message.ts';

export interface SignInRules extends ExpectedMessage {
  /** The chain that verifies signatures of smart wallets. Null: smart wallets cannot sign in. */
  readonly chain: Chain | null;
  /** In lower case. */
  readonly administratorWallets: ReadonlySet<string>;
}

/** A wallet that has signed in. */
export interface VerifiedWallet {
  /** In lower case. */
  readonly walletAddress: string;
  readonly role: 'holder' | 'administrator';
  readonly holder: SignedInHolder | null;
}

/** The message, the nonce or the signature is invalid. The response shows the reason. */
export class SignInError extends Error {
  override name = 'SignInError';
}

const invalidNonce = 'the nonce was used, has expired or is not for this wallet and type: ask for a new one';

/**
 * Verifies a signed message. The nonce is checked before the signature and consumed after it. So nobody else can consume it or
 * cause calls to the chain, and of concurrent requests with the same signature only the first succeeds.
 */
export async function signIn(
  database: Database,
  rules: SignInRules,
  { message: text, signature }: SignInRequest,
): Promise<VerifiedWallet> {
  const message = parseMessage(text);
  if (typeof message === 'string') throw validationFailed([message]);
  const fault = findMessageFault(message, rules, new Date());
  if (fault) throw new SignInError(fault);
  const type = findSignInType(message);
  if (type === null) throw new SignInError('the message must name one type to sign in for');

  const { address, nonce } = message;
  const walletAddress = address.toLowerCase();
  const boundNonce = { nonce, walletAddress, type };
  if (!(await isNonceValid(database, boundNonce))) throw new SignInError(invalidNonce);
  // Loaded on first use to keep viem out of the startup time.
  const { hashMessage } = await import('viem/utils');
  const hash = hashMessage(text);
  const signatureFault = await findSignatureFault({ hash, signature, address }, rules.chain);
  if (signatureFault) throw new SignInError(signatureFault);

  const role = type === administratorSignInType ? 'administrator' : 'holder';
  const isAllowed = role === 'holder' || rules.administratorWallets.has(walletAddress);
  // Does not throw inside the transaction for a wallet without access: a rollback would restore its nonce.
  const signedIn = await database.transaction(systemScope, async (run) => {
    const [consumed, tokens] = await Promise.all([
      consumeNonce(run, boundNonce),
      isAllowed ? lockTokens(run, walletAddress) : [],
    ]);
    if (!consumed) return null;
    return { holder: await signInHolder(run, walletAddress, tokens, consumed.email) };
  });
  if (!signedIn) throw new SignInError(invalidNonce);
  if (!isAllowed)
    throw new ApiError('ADMINISTRATOR_REQUIRED', {
      message: 'The wallet is not that of an administrator',
      actor: { wallet: walletAddress },
    });
  const { holder } = signedIn;
  if (role === 'holder' && !holder)
    throw new ApiError('DIGITAL_KEY_REQUIRED', { actor: { wallet: walletAddress } });
  return { walletAddress, role, holder };
}
