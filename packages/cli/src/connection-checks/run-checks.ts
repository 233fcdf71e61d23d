import type { Keyfront } from '@keyfront/sdk';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ClientOptions, createClient } from '../create-client.ts';
import type { Credentials } from '../credentials/get-credentials.ts';
import { isKeyPair, readApiKey, readSecretKey } from '../credentials/key-pair.ts';
import { isKeyProfile } from '../credentials/profiles.ts';
import { readTokenClaims, type TokenClaims } from '../credentials/token-claims.ts';
import { checkClock } from './check-clock.ts';
import { checkForm, checkGet, checkPost } from './check-requests.ts';
import { type CheckResult, passed } from './check-result.ts';
import { checkService } from './check-service.ts';

// A retry would only delay the diagnosis.
const withoutRetries = { maxAttempts: 1, timeoutMs: 10_000 };

/**
 * Checks whether a service accepts credentials. No check changes any data. The checks run in the order of their
 * dependencies (key pair, service, clock, signed GET, form of the signature), so that the first failure is the cause.
 */
export async function* verifyCredentials(
  context: Context,
  credentials: Credentials,
  options: ClientOptions = {},
): AsyncGenerator<CheckResult, void, undefined> {
  const settings = { ...withoutRetries, ...options };
  const claims = readClaims(credentials);
  if (isKeyProfile(credentials)) yield checkKeyPair(credentials.apiKey, credentials.secretKey);
  const { result, serviceTime } = await checkService(context, credentials.url, settings);
  yield result;
  if (serviceTime !== null) yield checkClock(serviceTime, context.now(), claims);
  const keyfront = createClient(context, credentials, settings);
  yield await checkGet(keyfront, claims, context.signal);
  if (claims !== null) return;
  const createBoundClient = () => createClient(context, credentials, { ...settings, signatures: 'bound' });
  yield await checkForm(keyfront, createBoundClient, context.signal);
}

/** Runs all checks of `keyfront doctor`: those of `verifyCredentials`, and a POST that the service must reject. */
export async function* runAllChecks(
  context: Context,
  credentials: Credentials,
  options: ClientOptions = {},
): AsyncGenerator<CheckResult, void, undefined> {
  yield* verifyCredentials(context, credentials, options);
  const keyfront: Keyfront = createClient(context, credentials, { ...withoutRetries, ...options });
  yield await checkPost(keyfront, readClaims(credentials), context.signal);
}

function checkKeyPair(apiKey: string, secretKey: string): CheckResult {
  if (!isKeyPair(readApiKey(apiKey), readSecretKey(secretKey))) {
    throw new CliError(
      'The secret key does not match the API key. Log in again with both keys of the same pair.',
      exitCodes.authentication,
    );
  }
  return passed('The secret key matches the API key');
}

/** Null for an API key. */
function readClaims(credentials: Credentials): TokenClaims | null {
  if (isKeyProfile(credentials)) return null;
  const claims = readTokenClaims(credentials.token);
  if (claims !== null) return claims;
  throw new CliError(
    'The token is not a Keyfront token. Log in again with the wallet.',
    exitCodes.authentication,
  );
}
