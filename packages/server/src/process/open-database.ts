import { setTimeout as delay } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '@keyfront/embedded-postgres';
import type { Config } from '../config.ts';
import { describeAddress } from '../database/connection-url.ts';
import { countConnections } from '../database/database.ts';
import { StartError } from '../start-error.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { readOrMakeSecrets } from './secrets.ts';

/** A database that accepts connections, not yet migrated. */
export interface OpenDatabase {
  readonly url: string;
  readonly ownerUrl: string;
  readonly jwtSecret: string;
  /** Where it is, in words. */
  readonly description: string;
  close(): Promise<void>;
}

export interface Reporter {
  /** Something that takes a moment is being done. */
  progress(sentence: string): void;
  /** Something went wrong while the service runs. */
  alarm(sentence: string): void;
}

/** The configured database, or the embedded one with its data folder locked. */
export async function openDatabase(config: Config, reporter: Reporter): Promise<OpenDatabase> {
  if (config.database !== null && config.jwtSecret !== null) {
    return {
      url: config.database.url,
      ownerUrl: config.database.ownerUrl,
      jwtSecret: config.jwtSecret,
      description: `PostgreSQL at ${describeAddress(config.database.url)}`,
      close: async () => undefined,
    };
  }
  return openEmbedded(config, reporter);
}

async function openEmbedded(config: Config, reporter: Reporter): Promise<OpenDatabase> {
  const lock = await lockDataFolder(config.dataFolder);
  try {
    const secrets = await readOrMakeSecrets(config.dataFolder);
    const options: EmbeddedPostgresOptions = {
      folder: config.dataFolder,
      ownerPassword: secrets.databaseOwnerPassword,
      loginPassword: secrets.databaseLoginPassword,
      maxConnections: 20 + config.workers * (countConnections(config.databasePoolSize) + 2),
      onProgress: reporter.progress,
    };
    const server = await keepRunning(options, reporter);
    return {
      url: server.loginUrl,
      ownerUrl: server.ownerUrl,
      jwtSecret: config.jwtSecret ?? secrets.jwtSecret,
      description: `embedded PostgreSQL in ${config.dataFolder}`,
      close: async () => {
        await server.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error instanceof EmbeddedPostgresError ? new StartError(error.message, { cause: error }) : error;
  }
}

const longestPauseMs = 10_000;

/** Starts the embedded server and, should it ever end by itself, starts it again where callers expect it. */
async function keepRunning(
  options: EmbeddedPostgresOptions,
  reporter: Reporter,
): Promise<Pick<EmbeddedPostgres, 'loginUrl' | 'ownerUrl' | 'stop'>> {
  let stopped = false;
  let current = await startEmbeddedPostgres(options);
  let restarting: Promise<void> = Promise.resolve();
  const { port, loginUrl, ownerUrl } = current;

  const watch = (server: EmbeddedPostgres): void => {
    server.onUnexpectedExit((sentence) => {
      reporter.alarm(sentence);
      restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let pauseMs = 100; !stopped; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        current = await startEmbeddedPostgres({ ...options, port });
        watch(current);
        reporter.alarm('The embedded PostgreSQL runs again.');
        return;
      } catch (error) {
        reporter.alarm(error instanceof Error ? error.message : String(error));
        await delay(pauseMs);
      }
    }
  };

  watch(current);
  return {
    loginUrl,
    ownerUrl,
    stop: async () => {
      stopped = true;
      await restarting;
      await current.stop();
    },
  };
}
