import type { Keyfront } from '@keyfront/sdk';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { type ConnectionOptions, clientOptions, createClient } from './create-client.ts';
import { getCredentials } from './credentials/get-credentials.ts';
import { isKeyProfile } from './credentials/profiles.ts';
import { readTokenClaims } from './credentials/token-claims.ts';

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
  const credentials = await getCredentials(context, { profile: options.profile, prefers: 'token' });
  if (!isKeyProfile(credentials)) {
    return {
      keyfront: createClient(context, credentials, clientOptions(context, options)),
      walletAddress: readTokenClaims(credentials.token)?.walletAddress ?? null,
    };
  }
  throw new CliError(
    `${limitation} Sign in with the wallet (\`keyfront login --wallet-key-file FILE --profile wallet\`), then add ` +
      '--profile wallet.',
    exitCodes.authentication,
  );
}
