import {
  BoundVerifier,
  loadFastestVerifier,
  PublicKeyCache,
  type SignatureVerifier,
  SimpleVerifier,
} from '@keyfront/signatures';
import type { Logger } from 'pino';
import { ApiKeyCache } from '../auth/api-key-cache.ts';
import { createBoundForm } from '../auth/bound-form.ts';
import { createGuard } from '../auth/create-guard.ts';
import type { Guard } from '../auth/guard.ts';
import { compileKeyPolicy } from '../auth/key-policy.ts';
import { readPublicAddress } from '../auth/request-address.ts';
import { SessionCache } from '../auth/session-cache.ts';
import type { KeyDirectory } from '../auth/signature-form.ts';
import { createSimpleForm } from '../auth/simple-form.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { ChangeFeed } from '../database/coordination/change-feed.ts';
import type { Database } from '../database/database.ts';
import { runPeriodically } from '../lib/run-periodically.ts';
import { ConcurrencyLimiter } from '../limits/concurrency/concurrency-limiter.ts';
import type { RateLimits } from '../limits/rates/rate-limits.ts';
import { findHolderByWallet } from '../resources/holders/holder-queries.ts';
import { findKeyHolder, writeKeyUses } from '../resources/keys/key-queries.ts';
import { KeyUses } from '../resources/keys/key-uses.ts';
import { isSessionLive } from '../resources/sessions/session-queries.ts';

export interface AuthenticationDependencies {
  readonly database: Database;
  /** Announces changes of API keys and ends of sessions, which empty the caches. */
  readonly feed: ChangeFeed;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  /** The base URL at which callers reach the service; null: the address in their `Host`. */
  readonly publicUrl: string | null;
  /** In lower case. */
  readonly adminWallets: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  /** The clock of the database. The default is that of this machine. */
  readonly databaseNow?: () => number;
  /** The default is the fastest verifier that runs on this platform. */
  readonly verifier?: SignatureVerifier;
}

export interface Authentication {
  readonly guard: Guard;
  /** Writes the key uses that have not been written yet. */
  close(): Promise<void>;
}

const writeKeyUsesEveryMs = 10_000;

/** Puts the guard together: the caches of API keys and sessions, signature verification, and a job that records when keys were used. */
export function createAuthentication(dependencies: AuthenticationDependencies): Authentication {
  const { database, feed, tokens, limits, logger, verifier = loadFastestVerifier() } = dependencies;
  const administrators = new Set(dependencies.adminWallets);
  // Requests are queued by holder only after the holder is found, so these queries have a queue of their own.
  const lookups = new ConcurrencyLimiter({
    name: 'concurrency',
    maxConcurrent: database.poolSize,
    maxConcurrentPerCaller: 2,
    maxQueuedPerCaller: 100,
  });
  const apiKeyCache = new ApiKeyCache({
    find: async (name) => {
      const found = await lookups.run(name, () => findKeyHolder(database, name));
      return found && { ...found, policy: compileKeyPolicy(found) };
    },
    isTrusted: () => feed.isTrusted,
  });
  feed.onChange('keys', () => apiKeyCache.clear());
  const sessionCache = new SessionCache({
    isLive: (id) => lookups.run(id, () => isSessionLive(database, id)),
    isTrusted: () => feed.isTrusted,
  });
  feed.onChange('sessions', () => sessionCache.clear());
  const keyUses = new KeyUses((uses) => writeKeyUses(database, uses));
  const warn = (error: unknown) => logger.warn({ err: error }, 'Failed to record when API keys were used');
  const job = runPeriodically({
    everyMs: writeKeyUsesEveryMs,
    work: () => keyUses.flush(),
    onError: warn,
  });
  const keys: KeyDirectory = {
    findKeyHolder: (name) => apiKeyCache.find(name),
    findCachedKeyHolder: (name) => apiKeyCache.findCached(name),
    readKeyHolder: (name) => apiKeyCache.read(name),
    isKnownKey: (name) => apiKeyCache.isKnown(name),
    recordKeyUse: (keyId) => keyUses.note(keyId),
  };
  const publicKeys = new PublicKeyCache();
  const publicAddress = dependencies.publicUrl === null ? null : readPublicAddress(dependencies.publicUrl);
  return {
    guard: createGuard({
      ...keys,
      simpleForm: createSimpleForm(new SimpleVerifier({ verifier, publicKeys }), keys, publicAddress),
      boundForm: createBoundForm(
        {
          verifier: new BoundVerifier({ verifier, now: dependencies.databaseNow ?? Date.now }),
          publicKeys,
          publicAddress,
        },
        keys,
      ),
      tokens,
      limits,
      findHolder: (walletAddress) =>
        lookups.run(walletAddress, () => findHolderByWallet(database, walletAddress)),
      isSessionLive: (id) => sessionCache.isLive(id),
      isAdministrator: (walletAddress) => administrators.has(walletAddress),
    }),
    close: async () => {
      await job.stop();
      await keyUses.flush().catch(warn);
    },
  };
}
