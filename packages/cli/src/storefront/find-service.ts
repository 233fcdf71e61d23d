import { generateKeyPairSync } from 'node:crypto';
import { type Keyfront, proveKeyPossession } from '@keyfront/sdk';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import { checkService } from '../connection-checks/check-service.ts';
import { verifyCredentials } from '../connection-checks/run-checks.ts';
import type { Context } from '../context.ts';
import {
  type ConnectionOptions,
  clientOptions,
  createAnonymousClient,
  createClient,
} from '../create-client.ts';
import { readDemoFile } from '../credentials/demo-file.ts';
import { type Credentials, getCredentials } from '../credentials/get-credentials.ts';
import { apiKeyOf, encodeSecretKey, readSecretKey } from '../credentials/key-pair.ts';
import {
  isKeyProfile,
  profileFile,
  profileName,
  readProfiles,
  type TokenProfile,
} from '../credentials/profiles.ts';
import { signInWallet } from '../credentials/sign-in-wallet.ts';
import { readTokenClaims } from '../credentials/token-claims.ts';
import { readWallet } from '../credentials/wallet.ts';

export interface ServiceOptions extends ConnectionOptions {
  readonly baseUrl?: string;
  readonly demo?: string;
}

/** What the shop calls, and nothing else. */
const scopes = [
  ...['strains:read', 'clients:read', 'clients:write', 'orders:read', 'orders:write', 'payments:write'],
  'events:read',
];

/** The key of the new shop. */
export interface ShopKey {
  readonly apiKey: string;
  readonly secretKey: string;
  /** Created for this shop. Null: the key of a profile, or none. */
  readonly created: { readonly id: string; revoke(): Promise<unknown> } | null;
}

/** A service, and how a shop gets a key of it. */
export interface Service {
  /** Without the path of the API. */
  readonly url: string;
  getKey(name: string): Promise<ShopKey | null>;
}

/** The service that the options name. It has answered, and nothing is created yet. */
export async function findService(context: Context, options: ServiceOptions): Promise<Service> {
  const client = clientOptions(context, options);
  if (options.demo !== undefined) {
    const { url, holders } = await readDemoFile(options.demo);
    await checkService(context, url, { maxAttempts: 1, ...client });
    const wallet = await readWallet(
      holders[0]?.walletPrivateKey ?? '',
      `The private key of a wallet in ${options.demo}`,
    );
    const token = await signInWallet(
      createAnonymousClient(context, url, client),
      wallet,
      false,
      context.signal,
    );
    return withToken(context, options, { url, token });
  }
  const credentials = await findCredentials(context, options);
  if (credentials === null) {
    const url = addressOf(context, options.baseUrl ?? '');
    await checkService(context, url, { maxAttempts: 1, ...client });
    return { url, getKey: async () => null };
  }
  if (!isKeyProfile(credentials)) {
    await checkService(context, credentials.url, { maxAttempts: 1, ...client });
    return withToken(context, options, credentials);
  }
  for await (const _check of verifyCredentials(context, credentials, client)) {
    // An invalid key throws.
  }
  // In one line each, whatever form the profile or the environment has them in.
  const secretKey = readSecretKey(credentials.secretKey);
  const pair = { apiKey: apiKeyOf(secretKey), secretKey: encodeSecretKey(secretKey) };
  return { url: addressOf(context, credentials.url), getKey: async () => ({ ...pair, created: null }) };
}

/** Those of the environment or the profile. Null if they are for another service than `--base-url`: they are not sent there. */
async function findCredentials(
  context: Context,
  { baseUrl, profile }: ServiceOptions,
): Promise<Credentials | null> {
  const options = { ...(profile !== undefined && { profile }), prefers: 'token' } as const;
  const { KEYFRONT_URL: url, KEYFRONT_SECRET_KEY: secretKey, KEYFRONT_TOKEN: token } = context.env;
  const isInEnvironment = profile === undefined && Boolean(secretKey || token);
  const profiles = isInEnvironment ? null : await readProfiles(profileFile(context));
  if (baseUrl === undefined) {
    if (profiles?.size === 0)
      throw usageError('Which service? Name it with --base-url or --demo, or run `keyfront login` first.');
    return getCredentials(context, options);
  }
  if (profiles && !profiles.has(profileName(context, profile))) return null;
  const env = isInEnvironment ? { ...context.env, KEYFRONT_URL: url || baseUrl } : context.env;
  const credentials = await getCredentials({ ...context, env }, options);
  return addressOf(context, credentials.url) === addressOf(context, baseUrl) ? credentials : null;
}

function withToken(context: Context, options: ServiceOptions, credentials: TokenProfile): Service {
  const claims = readTokenClaims(credentials.token);
  if (!claims || claims.isAdministrator) {
    throw new CliError(
      claims
        ? 'An administrator has no digital key to sell for. Use a profile that is signed in with the wallet of a holder.'
        : 'The token does not name a wallet. Sign in again.',
      exitCodes.authentication,
    );
  }
  const keyfront = createClient(context, credentials, clientOptions(context, options));
  return {
    url: addressOf(context, credentials.url),
    getKey: (name) => createKey(context, keyfront, claims.walletAddress, name),
  };
}

async function createKey(
  { signal }: Context,
  keyfront: Keyfront,
  walletAddress: string,
  keyName: string,
): Promise<ShopKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const [apiKey, secretKey] = [apiKeyOf(privateKey), encodeSecretKey(privateKey)];
  const own = await proveKeyPossession({ walletAddress, publicKey: apiKey, key: secretKey });
  const { id } = await keyfront.keys.create({ keyName, scopes, ...own }, { signal });
  return { apiKey, secretKey, created: { id, revoke: () => keyfront.keys.revoke(id) } };
}

/** The address of a service as people write it: without the path of the API. */
function addressOf(context: Context, url: string): string {
  return createAnonymousClient(context, url).baseUrl.replace(/\/api\/v1$/, '');
}
