import type { Keyfront } from '@keyfront/sdk';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { type ConnectionOptions, clientOptions, createClient } from './create-client.ts';
import { getCredentials } from './credentials/get-credentials.ts';
import { isKeyProfile } from './credentials/profiles.ts';
import { readTokenClaims, type TokenClaims } from './credentials/token-claims.ts';

export interface WalletClient {
  readonly keyfront: Keyfront;
  /** Null if the token does not name it. */
  readonly walletAddress: string | null;
}

/** Opens a client with the token of a wallet. `limitation` says what an API key cannot do. */
export async function openWalletClient(
  context: Context,
  options: ConnectionOptions,
  limitation: string,
): Promise<WalletClient> {
  const opened = await openTokenClient(context, options);
  if (opened) return { keyfront: opened.keyfront, walletAddress: opened.claims?.walletAddress ?? null };
  throw needsSignIn(limitation, '', 'wallet');
}

/** Opens a client with the token of an administrator. `limitation` says what others cannot do. */
export async function openAdministratorClient(
  context: Context,
  options: ConnectionOptions,
  limitation: string,
): Promise<Keyfront> {
  const opened = await openTokenClient(context, options);
  // Only the service knows about a token that cannot be read.
  if (opened && opened.claims?.isAdministrator !== false) return opened.keyfront;
  throw needsSignIn(limitation, ' --admin', 'admin');
}

/** Null if the credential is an API key. */
async function openTokenClient(
  context: Context,
  options: ConnectionOptions,
): Promise<{ keyfront: Keyfront; claims: TokenClaims | null } | null> {
  const credentials = await getCredentials(context, { ...options, prefers: 'token' });
  if (isKeyProfile(credentials)) return null;
  return {
    keyfront: createClient(context, credentials, clientOptions(context, options)),
    claims: readTokenClaims(credentials.token),
  };
}

function needsSignIn(limitation: string, option: string, profile: string): CliError {
  return new CliError(
    `${limitation} Sign in with the wallet (\`keyfront login --wallet-key-file FILE${option} --profile ${profile}\`), then add ` +
      `--profile ${profile}.`,
    exitCodes.authentication,
  );
}
