import { administratorSignInType, type SignedInHolder, type SignInRequest } from '@keyfront/protocol';
import { ApiError, validationFailed } from '../../api-error.ts';
import type { Chain } from '../../chain/smart-wallet.ts';
import { findSignatureFault } from '../../chain/wallet-signature.ts';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/scope.ts';
import { lockTokens, signInHolder } from '../holders/holder-rules.ts';
import { type ExpectedMessage, findMessageFault } from './check-sign-in-message.ts';
import { consumeNonce, isNonceAlive } from './nonce-queries.ts';
import { parseMessage, typeOfMessage } from './sign-in-message.ts';

export interface SignInRules extends ExpectedMessage {
  /** Where smart wallets are asked; null: they cannot sign in. */
  readonly chain: Chain | null;
  /** In lower case. */
  readonly administratorWallets: ReadonlySet<string>;
}

/** A wallet that has proved itself and may come in. */
export interface ProvenWallet {
  /** In lower case. */
  readonly walletAddress: string;
  readonly role: 'holder' | 'administrator';
  readonly holder: SignedInHolder | null;
}

/** The message, the nonce or the signature is not right. The reason is for the caller. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
}

const nonceRefused = 'the nonce was used, has expired or is not for this wallet and type: ask for a new one';

/**
 * Judges a signed message. The nonce is looked at before the signature and used up after it: a stranger can neither
 * burn it nor make the service ask the chain, and of many at once with the same signature only the first comes in.
 */
export async function signIn(
  database: Database,
  rules: SignInRules,
  { message: text, signature }: SignInRequest,
): Promise<ProvenWallet> {
  const message = parseMessage(text);
  if (typeof message === 'string') throw validationFailed([message]);
  const fault = findMessageFault(message, rules, new Date());
  if (fault) throw new SignInRefused(fault);
  const type = typeOfMessage(message);
  if (type === null) throw new SignInRefused('the message must name one type to sign in for');

  const { address, nonce } = message;
  const walletAddress = address.toLowerCase();
  const boundNonce = { nonce, walletAddress, type };
  if (!(await isNonceAlive(database, boundNonce))) throw new SignInRefused(nonceRefused);
  // All of viem's tools for one hash: loaded when somebody signs in.
  const { hashMessage } = await import('viem/utils');
  const hash = hashMessage(text);
  const signatureFault = await findSignatureFault({ hash, signature, address }, rules.chain);
  if (signatureFault) throw new SignInRefused(signatureFault);

  const role = type === administratorSignInType ? 'administrator' : 'holder';
  const isWelcome = role === 'holder' || rules.administratorWallets.has(walletAddress);
  // Nothing is thrown inside for a wallet that may not come in: the use of its nonce would be taken back.
  const entered = await database.transaction(systemScope, async (run) => {
    const [consumed, tokens] = await Promise.all([
      consumeNonce(run, boundNonce),
      isWelcome ? lockTokens(run, walletAddress) : [],
    ]);
    if (!consumed) return null;
    return { holder: await signInHolder(run, walletAddress, tokens, consumed.email) };
  });
  if (!entered) throw new SignInRefused(nonceRefused);
  if (!isWelcome)
    throw new ApiError('ADMINISTRATOR_REQUIRED', { message: 'The wallet is not that of an administrator' });
  const { holder } = entered;
  if (role === 'holder' && !holder) throw new ApiError('DIGITAL_KEY_REQUIRED');
  return { walletAddress, role, holder };
}
