import { Keyfront } from '@keyfront/sdk';
import type { Cli } from './cli.ts';
import { misuse } from './failure.ts';
import { type Credentials, getCredentials } from './settings/credentials.ts';
import { encodeSecretKey, readSecretKey } from './settings/key-pair.ts';
import { isKeyProfile } from './settings/profiles.ts';

/** How persistent a client is; the defaults are those of the SDK. */
export interface ClientOptions {
  readonly fetch?: typeof globalThis.fetch;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
}

/** A client for the command's profile. */
export async function openKeyfront(
  cli: Cli,
  options: { readonly profile: string; readonly prefers?: 'key' | 'token' } & ClientOptions,
): Promise<Keyfront> {
  const { profile, prefers = 'key', ...client } = options;
  return createKeyfront(cli, await getCredentials(cli, { profile, prefers }), client);
}

/** A client with these credentials. */
export function createKeyfront(cli: Cli, credentials: Credentials, options: ClientOptions = {}): Keyfront {
  const baseUrl = requireAddress(credentials.url);
  const common = { baseUrl, fetch: cli.fetch, ...options };
  return withUsageErrors(() =>
    isKeyProfile(credentials)
      ? new Keyfront({
          ...common,
          apiKey: credentials.apiKey,
          secretKey: encodeSecretKey(readSecretKey(credentials.secretKey)),
        })
      : new Keyfront({ ...common, token: credentials.token }),
  );
}

/** A client that has no credentials yet. */
export function createPublicKeyfront(cli: Cli, url: string, options: ClientOptions = {}): Keyfront {
  return withUsageErrors(() => new Keyfront({ baseUrl: requireAddress(url), fetch: cli.fetch, ...options }));
}

function requireAddress(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw misuse(`"${url}" is not the address of a service: it begins with http:// or https://`);
}

/** What the SDK does not accept was typed or set by the user. */
function withUsageErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw misuse(error.message);
    throw error;
  }
}
