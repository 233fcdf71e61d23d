import type { Logger } from 'pino';
import { ApiKeyCache } from '../auth/api-key-cache.ts';
import { createGuard } from '../auth/create-guard.ts';
import type { Guard } from '../auth/guard.ts';
import { createRequestVerifier } from '../auth/signatures/verify-request.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { ChangeFeed } from '../database/change-feed.ts';
import type { Database } from '../database/database.ts';
import { runPeriodically } from '../jobs/run-periodically.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { findHolderByWallet } from '../resources/holders/holder-queries.ts';
import { findKeyHolder, writeKeyUses } from '../resources/keys/key-queries.ts';
import { KeyUses } from '../resources/keys/key-uses.ts';

export interface IdentityParts {
  readonly database: Database;
  /** Tells which of the remembered keys may no longer be good. */
  readonly feed: ChangeFeed;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  /** In lower case. */
  readonly adminWallets: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Identity {
  readonly guard: Guard;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

const writeUsesEveryMs = 10_000;

/** What one process knows of its callers: the keys it remembers until it hears that one is no longer good. */
export function createIdentity(parts: IdentityParts): Identity {
  const { database, feed, tokens, limits, logger } = parts;
  const administrators = new Set(parts.adminWallets);
  const apiKeyCache = new ApiKeyCache({
    find: (fingerprint) => findKeyHolder(database, fingerprint),
    isTrusted: () => feed.isTrusted,
  });
  feed.onChange('keys', () => apiKeyCache.clear());
  const keyUses = new KeyUses((uses) => writeKeyUses(database, uses));
  const warnOfUses = (error: unknown) =>
    logger.warn({ err: error }, 'The last use of keys could not be written');
  const writing = runPeriodically({
    everyMs: writeUsesEveryMs,
    work: () => keyUses.flush(),
    onError: warnOfUses,
  });
  return {
    guard: createGuard({
      verifier: createRequestVerifier(),
      tokens,
      limits,
      findKeyHolder: (fingerprint) => apiKeyCache.find(fingerprint),
      findHolder: (walletAddress) => findHolderByWallet(database, walletAddress),
      isAdministrator: (walletAddress) => administrators.has(walletAddress),
      recordKeyUse: (keyId) => keyUses.note(keyId),
    }),
    close: async () => {
      await writing.stop();
      await keyUses.flush().catch(warnOfUses);
    },
  };
}
