import { exitCodes, Failure } from '../failure.ts';
import type { TokenClaims } from '../settings/token-claims.ts';
import { type Finding, good, odd } from './examine.ts';

// The header has whole seconds, and an answer is under way for some time.
const toleranceMs = 60_000;

/** Compares the clock here with that of the service, by which tokens end. Signed requests carry no time. */
export function examineClock(serverTime: Date, localTime: Date, claims: TokenClaims | null): Finding {
  const aheadMs = localTime.getTime() - serverTime.getTime();
  const isRight = Math.abs(aheadMs) <= toleranceMs;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const sentence = `The clock of this machine is ${minutes} minutes ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  if (claims === null) {
    return isRight ? good('The clock is right') : odd(`${sentence}, which signed requests do not mind`);
  }
  if (!isRight) {
    throw new Failure(
      `${sentence} of that of the service, so that tokens seem to end at another time than they do: set it, as with NTP`,
    );
  }
  if (claims.expiresAt <= serverTime) {
    throw new Failure(
      `The token has expired at ${claims.expiresAt.toISOString()}: log in again with the wallet`,
      exitCodes.authentication,
    );
  }
  return good('The clock is right, and the token has not expired');
}
