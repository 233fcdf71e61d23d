import type { AskNode } from '@keyfront/evm/chain';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Progress } from '../../chain/reader/chain-reader.ts';
import { followChain } from '../../chain/reader/follow-chain.ts';
import type { ChainIdentity } from '../../chain/reader/position-queries.ts';
import { createReaderMetrics } from '../../chain/reader/reader-metrics.ts';
import type { Config } from '../../config/config.ts';
import { type DatabaseJob, startDatabaseJob } from '../../database/coordination/database-job.ts';
import type { Database } from '../../database/database.ts';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import type { PeriodicJob } from '../../lib/run-periodically.ts';
import { deleteOldEvents } from '../../resources/events/delete-old-events.ts';
import { deleteOldDeliveries } from '../../resources/webhooks/delivery/delete-old-deliveries.ts';
import { deleteUnownedDeliveries } from '../../resources/webhooks/delivery/delete-unowned-deliveries.ts';
import { compactAllCounters } from './compact-counters.ts';
import {
  deleteExpiredNonces,
  deleteExpiredResponses,
  deleteExpiredSessions,
  deleteOldMessages,
  deleteRequestNonces,
} from './delete-expired.ts';
import { rotateDataKey } from './rotate-data-key.ts';

interface JobDependencies {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly config: Config;
  readonly dataCipher: DataCipher | null;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Returns the chain and contracts to follow, or null unless the configuration names all of them. */
export function findFollowedChain({
  rpcUrl,
  chainId,
  tokenContract,
  marketplaceContract,
}: Config): ChainIdentity | null {
  if (rpcUrl === null || tokenContract === null || marketplaceContract === null) return null;
  return { chainId, contracts: { token: tokenContract, marketplace: marketplaceContract } };
}

/** The jobs that run in every process. The simulation of the chain runs them beside the reader. */
export const databaseJobs: readonly DatabaseJob[] = [
  deleteExpiredNonces,
  deleteExpiredResponses,
  deleteOldMessages,
  deleteRequestNonces,
  deleteExpiredSessions,
  deleteUnownedDeliveries,
  compactAllCounters,
];

/** Starts all background jobs. Returns a function that stops them. */
export function startJobs(dependencies: JobDependencies): () => Promise<void> {
  const { database, dataCipher, logger } = dependencies;
  const rotation = dataCipher?.previousKeyId ? [rotateDataKey(dataCipher, logger)] : [];
  const { eventRetentionMs } = dependencies.config;
  const retention = [deleteOldEvents(eventRetentionMs), deleteOldDeliveries(eventRetentionMs)];
  const jobs = [...databaseJobs, ...retention, ...rotation].map((job) =>
    startDatabaseJob(job, database, (error) => logger.warn({ err: error }, job.failureMessage)),
  );
  const chain = findFollowedChain(dependencies.config);
  if (chain) jobs.push(startChainReader(dependencies, chain));
  return async () => {
    await Promise.all(jobs.map((job) => job.stop()));
  };
}

/** How often progress is logged while the reader catches up with the chain. */
const logEveryMs = 5_000;

function startChainReader(
  { database, databaseUrl, config, logger, registry }: JobDependencies,
  name: ChainIdentity,
): PeriodicJob {
  const metrics = createReaderMetrics(registry);
  let loggedAt = 0;
  const noteProgress = (progress: Progress) => {
    metrics.noteProgress(progress);
    const { position, head, undone } = progress;
    if (undone > 0) logger.warn(progress, `The chain was reorganised: ${undone} blocks were undone`);
    // A reader that has caught up does not log each new block.
    if (position === head || Date.now() - loggedAt < logEveryMs) return;
    loggedAt = Date.now();
    logger.info(progress, `Read the chain up to block ${position} of ${head}`);
  };
  return followChain({
    databaseUrl,
    makeReader: async (signal) => {
      // Loaded only where a chain is followed: it imports viem, which is large.
      const [{ ChainReader }, { askNodeAt, openChainSource }] = await Promise.all([
        import('../../chain/reader/chain-reader.ts'),
        import('@keyfront/evm/chain'),
      ]);
      metrics.noteContact();
      signal.addEventListener('abort', () => metrics.noteEnd(), { once: true });
      const ask = askNodeAt(config.rpcUrl ?? '', signal);
      const askNode: AskNode = async (method, params) => {
        const result = await ask(method, params);
        metrics.noteContact();
        return result;
      };
      return new ChainReader({
        database,
        source: openChainSource(askNode, name.contracts),
        name,
        startBlock: config.chainStartBlock,
        onProgress: noteProgress,
      });
    },
    onFault: (error, pauseMs) => {
      metrics.noteFault();
      logger.warn({ err: error, pauseMs: Math.round(pauseMs) }, 'Failed to read the chain: retrying');
    },
    onStopped: () => {
      metrics.noteAlarm();
      logger.error('The chain reader has stopped: see /health/chain');
    },
  });
}
