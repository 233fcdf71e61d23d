import { Keyfront } from '@keyfront/sdk';
import { usageError } from './cli-error.ts';
import type { Context } from './context.ts';
import { type Credentials, getCredentials } from './credentials/get-credentials.ts';
import { encodeSecretKey, isKeyPair, otherPair, readApiKey, readSecretKey } from './credentials/key-pair.ts';
import { isKeyProfile } from './credentials/profiles.ts';
import { nameSdkOptions } from './name-sdk-options.ts';
import { traceRequests } from './trace-requests.ts';

/** Overrides of the SDK's defaults. */
export interface ClientOptions {
  readonly fetch?: typeof globalThis.fetch;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
  /** The form of signatures, for credentials that sign. */
  readonly signatures?: 'bound' | 'simple';
}

/** What the options of a command say about the connection. */
export interface ConnectionOptions {
  /** The value of `--profile`. */
  readonly profile?: string;
  readonly verbose?: true;
}

/** A client with the credentials of the environment or of the selected profile. */
export async function openClient(context: Context, options: ConnectionOptions): Promise<Keyfront> {
  return createClient(context, await getCredentials(context, options), clientOptions(context, options));
}

/** The SDK options that a command's own options stand for. */
export function clientOptions(context: Context, { verbose }: ConnectionOptions): ClientOptions {
  return verbose ? { fetch: traceRequests(context) } : {};
}

/** A client with these credentials. */
export function createClient(
  context: Context,
  credentials: Credentials,
  options: ClientOptions = {},
): Keyfront {
  const baseUrl = requireHttpUrl(credentials.url);
  const { signatures, ...connection } = options;
  const common = { baseUrl, fetch: context.fetch, ...connection };
  if (!isKeyProfile(credentials)) {
    return withUsageErrors(() => new Keyfront({ ...common, token: credentials.token }));
  }
  const { apiKey } = credentials;
  const secretKey = readSecretKey(credentials.secretKey);
  if (!isKeyPair(readApiKey(apiKey), secretKey)) throw usageError(otherPair);
  return withUsageErrors(
    () =>
      new Keyfront({
        ...common,
        ...(signatures && { signatures }),
        apiKey,
        secretKey: encodeSecretKey(secretKey),
      }),
  );
}

/** A client without credentials, for public operations. */
export function createAnonymousClient(
  context: Context,
  url: string,
  { signatures: _none, ...connection }: ClientOptions = {},
): Keyfront {
  return withUsageErrors(
    () => new Keyfront({ baseUrl: requireHttpUrl(url), fetch: context.fetch, ...connection }),
  );
}

function requireHttpUrl(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw usageError(`Invalid service URL "${url}": it must start with http:// or https://`);
}

/** The SDK throws a TypeError for invalid options, and all of them come from the user. */
function withUsageErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw usageError(nameSdkOptions(error.message));
    throw error;
  }
}
