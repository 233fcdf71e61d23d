import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Progress } from '../chain/chain-reader.ts';
import type { AskNode } from '../chain/chain-source.ts';
import type { ReaderName } from '../chain/position-queries.ts';
import { createReaderMetrics } from '../chain/reader-metrics.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { DataCipher } from '../encryption/data-cipher.ts';
import { compactAllCounters } from './compact-counters.ts';
import { type DatabaseJob, startDatabaseJob } from './database-job.ts';
import { deleteExpiredNonces } from './delete-expired-nonces.ts';
import { deleteExpiredResponses } from './delete-expired-responses.ts';
import { deleteExpiredSessions } from './delete-expired-sessions.ts';
import { deleteOldDeliveries } from './delete-old-deliveries.ts';
import { deleteOldEvents } from './delete-old-events.ts';
import { deleteOldMessages } from './delete-old-messages.ts';
import { deleteRequestNonces } from './delete-request-nonces.ts';
import { deleteUnownedDeliveries } from './delete-unowned-deliveries.ts';
import { followChain } from './follow-chain.ts';
import { rotateDataKey } from './rotate-data-key.ts';
import type { PeriodicJob } from './run-periodically.ts';

interface JobParts {
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
}: Config): ReaderName | null {
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
export function startJobs(parts: JobParts): () => Promise<void> {
  const { database, dataCipher, logger } = parts;
  const rotation = dataCipher?.previousKeyId ? [rotateDataKey(dataCipher, logger)] : [];
  const { eventRetentionMs } = parts.config;
  const retention = [deleteOldEvents(eventRetentionMs), deleteOldDeliveries(eventRetentionMs)];
  const jobs = [...databaseJobs, ...retention, ...rotation].map((job) =>
    startDatabaseJob(job, database, (error) => logger.warn({ err: error }, job.failureMessage)),
  );
  const chain = findFollowedChain(parts.config);
  if (chain) jobs.push(startChainReader(parts, chain));
  return async () => {
    await Promise.all(jobs.map((job) => job.stop()));
  };
}

/** How often progress is logged while the reader catches up with the chain. */
const logEveryMs = 5_000;

function startChainReader(
  { database, databaseUrl, config, logger, registry }: JobParts,
  name: ReaderName,
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
        import('../chain/chain-reader.ts'),
        import('../chain/chain-source.ts'),
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
