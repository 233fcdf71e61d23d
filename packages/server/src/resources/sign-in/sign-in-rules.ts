import { createHash } from 'node:crypto';
import { type Chain, findSignatureFault } from '@keyfront/evm';
import { administratorSignInType, type SignedInHolder, type SignInRequest } from '@keyfront/protocol';
import type { SessionTimes, TokenClaims } from '../../auth/tokens.ts';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import { ApiError, validationFailed } from '../../lib/errors/api-error.ts';
import { lockTokens, signInHolder } from '../holders/holder-rules.ts';
import { beginSession, findRepeatedSession, type SessionRecord } from '../sessions/session-rules.ts';
import { findMessageFault } from './check-sign-in-message.ts';
import { consumeNonce, isNonceValid } from './nonce-queries.ts';
import type { SignInDomains } from './sign-in-domains.ts';
import { findSignInType, parseMessage } from './sign-in-message.ts';

export interface SignInRules {
  readonly domains: SignInDomains;
  /** By the clock of the database, which also decides whether a nonce is valid. */
  readonly now: () => number;
  /** The times of a session that begins now. */
  readonly planSession: (role: TokenClaims['role']) => SessionTimes;
  /** The chain that verifies signatures of smart wallets. Null: smart wallets cannot sign in. */
  readonly chain: Chain | null;
  /** In lower case. */
  readonly administratorWallets: ReadonlySet<string>;
}

/** A wallet that has signed in, and its session. */
export interface SignedInWallet {
  /** In lower case. */
  readonly walletAddress: string;
  readonly session: SessionRecord;
  readonly holder: SignedInHolder | null;
}

/** The message, the nonce or the signature is invalid. The response shows the reason. */
export class SignInError extends Error {
  override name = 'SignInError';
}

const invalidNonce = 'the nonce was used, has expired or is not for this wallet and type: ask for a new one';

/**
 * Verifies a signed message, and begins a session. The nonce is checked before the signature and consumed after it. So nobody else
 * can consume it or cause calls to the chain, and of concurrent requests with the same nonce only one begins a session. While the
 * nonce would be valid, the same message and signature give that session again, because the first response may have been lost.
 */
export async function signIn(
  database: Database,
  rules: SignInRules,
  { message: text, signature }: SignInRequest,
): Promise<SignedInWallet> {
  const message = parseMessage(text);
  if (typeof message === 'string') throw validationFailed([message]);
  const domain = rules.domains.find(message.domain);
  if (!domain) throw new SignInError(`the domain of the message must be ${rules.domains.names.join(' or ')}`);
  const fault = findMessageFault(message, domain, new Date(rules.now()));
  if (fault) throw new SignInError(fault);
  const type = findSignInType(message);
  if (type === null) throw new SignInError('the message must name one type to sign in for');
  if (!rules.domains.allowsType(type, domain)) {
    throw new SignInError(
      `the domain of the message must be ${rules.domains.own.domain} for the type ${type}`,
    );
  }

  const { address, nonce } = message;
  const walletAddress = address.toLowerCase();
  const role = type === administratorSignInType ? 'administrator' : 'holder';
  const wallet: Wallet = {
    walletAddress,
    role,
    isAllowed: role === 'holder' || rules.administratorWallets.has(walletAddress),
  };
  const signInHash = createHash('sha256')
    .update(JSON.stringify([text, signature]))
    .digest();
  const boundNonce = { nonce, walletAddress, type, domain: domain.nonceDomain };
  if (!(await isNonceValid(database, boundNonce))) return repeatSignIn(database, wallet, signInHash);
  // Loaded on first use to keep viem out of the startup time.
  const { hashMessage } = await import('viem/utils');
  const hash = hashMessage(text);
  const signatureFault = await findSignatureFault({ hash, signature, address }, rules.chain);
  if (signatureFault) throw new SignInError(signatureFault);

  // Does not throw inside the transaction for a wallet without access: a rollback would restore its nonce.
  const signedIn = await database.transaction(systemScope, async (tx) => {
    const [consumed, tokens] = await Promise.all([
      consumeNonce(tx, boundNonce),
      wallet.isAllowed ? lockTokens(tx, walletAddress) : [],
    ]);
    if (!consumed) return null;
    const mayBegin = wallet.isAllowed && (role === 'administrator' || tokens.length > 0);
    const [holder, session] = await Promise.all([
      signInHolder(tx, walletAddress, tokens, consumed.email),
      mayBegin
        ? beginSession(tx, {
            ...rules.planSession(role),
            walletAddress,
            role,
            domain: domain.domain,
            signInHash,
            repeatableUntil: consumed.expiresAt,
          })
        : null,
    ]);
    return { holder, session };
  });
  // A concurrent request has consumed the nonce.
  if (!signedIn) return repeatSignIn(database, wallet, signInHash);
  return admit(wallet, signedIn.session, signedIn.holder);
}

interface Wallet {
  readonly walletAddress: string;
  readonly role: TokenClaims['role'];
  /** Whether it may sign in as what the message says, digital keys aside. */
  readonly isAllowed: boolean;
}

/** Returns the session that the same message and signature have begun before. Only who has signed can know both. */
async function repeatSignIn(database: Database, wallet: Wallet, signInHash: Buffer): Promise<SignedInWallet> {
  const { walletAddress } = wallet;
  const session = await findRepeatedSession(database, signInHash, walletAddress);
  if (!session) throw new SignInError(invalidNonce);
  const holder = await database.transaction(systemScope, async (tx) =>
    signInHolder(tx, walletAddress, await lockTokens(tx, walletAddress), null),
  );
  return admit(wallet, session, holder);
}

function admit(
  { walletAddress, role, isAllowed }: Wallet,
  session: SessionRecord | null,
  holder: SignedInHolder | null,
): SignedInWallet {
  if (!isAllowed)
    throw new ApiError('ADMINISTRATOR_REQUIRED', {
      message: 'The wallet is not that of an administrator',
      actor: { wallet: walletAddress },
    });
  if (!session || (role === 'holder' && !holder))
    throw new ApiError('DIGITAL_KEY_REQUIRED', { actor: { wallet: walletAddress } });
  return { walletAddress, session, holder };
}
