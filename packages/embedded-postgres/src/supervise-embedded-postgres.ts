import { setTimeout as delay } from 'node:timers/promises';
import { lockDataFolder } from './data-folder-lock.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';

const shortestPauseMs = 100;
const longestPauseMs = 10_000;

export interface SupervisionOptions extends EmbeddedPostgresOptions {
  /** Called with a sentence when the server has ended unexpectedly, and for each attempt to restart it that fails. */
  onFailure?: (message: string) => void;
  /** Called when the server accepts connections again. */
  onRestart?: () => void;
}

/** A PostgreSQL server that is restarted when it ends unexpectedly. Its URLs stay the same. */
export type SupervisedPostgres = Omit<EmbeddedPostgres, 'onUnexpectedExit'>;

/**
 * Starts the server like `startEmbeddedPostgres`, and restarts it on the same port whenever it ends unexpectedly.
 * Attempts that fail are repeated after a pause that doubles up to ten seconds.
 */
export async function superviseEmbeddedPostgres({
  onFailure = () => {},
  onRestart = () => {},
  ...options
}: SupervisionOptions): Promise<SupervisedPostgres> {
  // Held across restarts, so that no other process uses the folder while the server is down.
  const lock = options.lock ?? (await lockDataFolder(options.dataFolder));
  const releaseOwnLock = async () => {
    if (options.lock === undefined) {
      await lock.release();
    }
  };
  let current: EmbeddedPostgres;
  try {
    current = await startEmbeddedPostgres({ ...options, lock });
  } catch (error) {
    await releaseOwnLock();
    throw error;
  }
  const { port, ownerUrl, loginUrl } = current;
  const stopping = new AbortController();
  let restarting: Promise<void> = Promise.resolve();

  const watch = (server: EmbeddedPostgres): void => {
    server.onUnexpectedExit((message) => {
      onFailure(message);
      restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    let pauseMs = shortestPauseMs;
    while (!stopping.signal.aborted) {
      try {
        // `onFailure` and `onRestart` report a restart; progress is only reported for the first start.
        current = await startEmbeddedPostgres({ ...options, lock, port, onProgress: () => {} });
        watch(current);
        onRestart();
        return;
      } catch (error) {
        onFailure(error instanceof Error ? error.message : String(error));
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };

  watch(current);
  return {
    port,
    ownerUrl,
    loginUrl,
    stop: async () => {
      stopping.abort();
      await restarting;
      await current.stop();
      await releaseOwnLock();
    },
  };
}
