import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Progress } from '../chain/chain-reader.ts';
import type { ReaderName } from '../chain/position-queries.ts';
import { createReaderMetrics } from '../chain/reader-metrics.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { compactAllCounters } from '../jobs/compact-counters.ts';
import { type DatabaseJob, startDatabaseJob } from '../jobs/database-job.ts';
import { deleteExpiredNonces } from '../jobs/delete-expired-nonces.ts';
import { deleteExpiredResponses } from '../jobs/delete-expired-responses.ts';
import { followChain } from '../jobs/follow-chain.ts';
import type { PeriodicJob } from '../jobs/run-periodically.ts';

interface JobParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Which chain and contracts are followed; null when the settings do not name them all. */
export function followedChain({
  rpcUrl,
  chainId,
  tokenContract,
  marketplaceContract,
}: Config): ReaderName | null {
  if (rpcUrl === null || tokenContract === null || marketplaceContract === null) return null;
  return { chainId, contracts: { token: tokenContract, marketplace: marketplaceContract } };
}

/** Every job that runs in every process. The simulation of the chain runs them beside the reader. */
export const databaseJobs: readonly DatabaseJob[] = [
  deleteExpiredNonces,
  deleteExpiredResponses,
  compactAllCounters,
];

/** Starts what runs without a caller; gives what stops it. */
export function startJobs(parts: JobParts): () => Promise<void> {
  const { database, logger } = parts;
  const jobs = databaseJobs.map((job) =>
    startDatabaseJob(job, database, (error) => logger.warn({ err: error }, job.failureMessage)),
  );
  const chain = followedChain(parts.config);
  if (chain) jobs.push(startReader(parts, chain));
  return async () => {
    await Promise.all(jobs.map((job) => job.stop()));
  };
}

const logEveryMs = 5_000;

function startReader(
  { database, databaseUrl, config, logger, registry }: JobParts,
  name: ReaderName,
): PeriodicJob {
  const metrics = createReaderMetrics(registry);
  let loggedAt = 0;
  const noteProgress = (progress: Progress) => {
    metrics.noteProgress(progress);
    const { position, head, undone } = progress;
    if (undone > 0) logger.warn(progress, `The chain was reorganised: ${undone} blocks were taken back`);
    // While there is history to read, a line now and then; afterwards none for each block.
    if (position === head || Date.now() - loggedAt < logEveryMs) return;
    loggedAt = Date.now();
    logger.info(progress, `Read the chain up to block ${position} of ${head}`);
  };
  return followChain({
    databaseUrl,
    makeReader: async (signal) => {
      // Loaded where a chain is followed, since it brings viem along.
      const [{ ChainReader }, { askNodeAt, openChainSource }] = await Promise.all([
        import('../chain/chain-reader.ts'),
        import('../chain/chain-source.ts'),
      ]);
      return new ChainReader({
        database,
        source: openChainSource(askNodeAt(config.rpcUrl ?? '', signal), name.contracts),
        name,
        startBlock: config.chainStartBlock,
        onProgress: noteProgress,
      });
    },
    onFault: (error, pauseMs) => {
      metrics.noteFault();
      logger.warn({ err: error, pauseMs: Math.round(pauseMs) }, 'The chain could not be read: trying again');
    },
    onStopped: () => {
      metrics.noteAlarm();
      logger.error('The chain reader has stopped: see /health/chain');
    },
  });
}
