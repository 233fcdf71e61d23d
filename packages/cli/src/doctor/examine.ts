import type { Cli } from '../cli.ts';
import { exitCodes, Failure } from '../failure.ts';
import { createKeyfront } from '../open-keyfront.ts';
import type { Credentials } from '../settings/credentials.ts';
import { isPair, readApiKey, readSecretKey } from '../settings/key-pair.ts';
import { isKeyProfile } from '../settings/profiles.ts';
import { readTokenClaims, type TokenClaims } from '../settings/token-claims.ts';
import { examineClock } from './examine-clock.ts';
import { examineRequests } from './examine-requests.ts';
import { examineServer } from './examine-server.ts';

/** A thing that was looked at: right, or odd without being the cause of a failure. */
export interface Finding {
  readonly isGood: boolean;
  readonly text: string;
}

export const good = (text: string): Finding => ({ isGood: true, text });
export const odd = (text: string): Finding => ({ isGood: false, text });

// One attempt, since it is the first answer that tells what is wrong, and not for long.
const impatient = { maxAttempts: 1, timeoutMs: 10_000 };

/**
 * Looks at one thing after the other, from what needs nobody else to what needs all the rest, so that the first that is
 * wrong is the cause. It ends with a Failure that says in one sentence what it is and what to do.
 */
export async function* examine(cli: Cli, credentials: Credentials): AsyncGenerator<Finding, void, undefined> {
  const claims = isKeyProfile(credentials) ? null : readClaims(credentials.token);
  if (isKeyProfile(credentials)) yield examinePair(credentials.apiKey, credentials.secretKey);
  const { finding, serverTime } = await examineServer(cli, credentials.url, impatient);
  yield finding;
  if (serverTime !== null) yield examineClock(serverTime, cli.now(), claims);
  yield* examineRequests(createKeyfront(cli, credentials, impatient), claims, cli.signal);
}

function examinePair(apiKey: string, secretKey: string): Finding {
  if (!isPair(readApiKey(apiKey), readSecretKey(secretKey))) {
    throw new Failure(
      'The secret key does not belong to the API key, so that no signature can match: take both from the same pair, ' +
        'then log in again',
      exitCodes.authentication,
    );
  }
  return good('The API key and the secret key are a pair');
}

function readClaims(token: string): TokenClaims {
  const claims = readTokenClaims(token);
  if (claims !== null) return claims;
  throw new Failure(
    'The token is none of a Keyfront: log in again with the wallet',
    exitCodes.authentication,
  );
}
