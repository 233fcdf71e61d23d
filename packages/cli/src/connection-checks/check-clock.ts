import { CliError, exitCodes } from '../cli-error.ts';
import type { TokenClaims } from '../credentials/token-claims.ts';
import { type CheckResult, passed, warning } from './check-result.ts';

// The `Date` header has a resolution of a second, and the response takes time to arrive.
const toleranceMs = 60_000;

/** Compares the local clock with the service's, which decides when a token expires, and whether a bound signature is accepted. */
export function checkClock(serviceTime: Date, localTime: Date, claims: TokenClaims | null): CheckResult {
  const aheadMs = localTime.getTime() - serviceTime.getTime();
  const isCorrect = Math.abs(aheadMs) <= toleranceMs;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const difference =
    `The clock of this machine is ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ` +
    `${aheadMs > 0 ? 'ahead of' : 'behind'} the service`;
  if (claims === null) {
    return isCorrect
      ? passed('The clock is correct')
      : warning(`${difference}. Bound signatures need the correct time, within five minutes.`);
  }
  if (!isCorrect) {
    throw new CliError(
      `${difference}, so tokens appear to expire at the wrong time. Synchronize the clock, for example with NTP.`,
    );
  }
  if (claims.expiresAt <= serviceTime) {
    throw new CliError(
      `The token expired at ${claims.expiresAt.toISOString()}. Log in again with the wallet.`,
      exitCodes.authentication,
    );
  }
  return passed('The clock is correct and the token has not expired');
}
