import { FileStoreUnavailable } from '@keyfront/file-store';
import { archiveOrders, describeMonthError } from '@keyfront/order-archive';
import { DatabaseUnavailable } from '@keyfront/postgres';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { tryToBecomeLeader } from '../../database/coordination/leadership.ts';
import { Database } from '../../database/database.ts';
import { readMigrations } from '../../database/migrations/migrations.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { createArchiveSource } from '../../resources/orders/archive/archive-queries.ts';
import { openFileStores, verifyFileStores } from '../data-folder/file-stores.ts';
import { openDatabase } from '../data-folder/open-database.ts';

const advice =
  'No order is lost. Check the database, and the folder or bucket of the service (IMAGE_FOLDER, S3_BUCKET): is it the same ' +
  'one, mounted, writable, with free space? Then run the command again to continue.';

interface ArchiveOptions {
  readonly logger: Logger;
  readonly onProgress: (message: string) => void;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** Archives the orders that were placed before a month. */
export async function archiveOldOrders(
  config: Config,
  before: Date,
  { logger, onProgress, isDryRun, signal }: ArchiveOptions,
): Promise<void> {
  const now = new Date();
  const monthError = describeMonthError(before, now);
  if (monthError !== null) throw new StartError(monthError);
  if (config.sandbox) throw new StartError('Orders of a sandbox are not archived: its holders reset it.');
  const { archiveStore: store } = openFileStores(config.imageStorage);
  if (!store) throw new StartError('There is no place for archived orders: set IMAGE_FOLDER or S3_BUCKET.');
  await verifyFileStores(config.imageStorage);
  const opened = await openDatabase(config, logger, onProgress);
  const database = new Database({ url: opened.url, directUrl: opened.directUrl, poolSize: 1 });
  try {
    if (!(await database.hasMigrations(await readMigrations())))
      throw new StartError(
        'The database lacks migrations of this version: run keyfront-server migrate first.',
      );
    const turn = await tryToBecomeLeader(opened.directUrl ?? opened.url, 'archive-orders');
    if (!turn) throw new StartError('Another process is archiving orders. Nothing was changed.');
    try {
      // What has changed later may still be in events and deliveries.
      const unchangedSince = new Date(now.getTime() - config.eventRetentionMs);
      const source = createArchiveSource(database, before, unchangedSince);
      await archiveOrders({
        ...{ source, store, isDryRun, onProgress },
        signal: AbortSignal.any([signal, turn.signal]),
      });
    } finally {
      await turn.resign();
    }
  } catch (error) {
    if (signal.aborted) throw new StartError('Interrupted: run the command again to continue.');
    const isExpected = error instanceof DatabaseUnavailable || error instanceof FileStoreUnavailable;
    if (!isExpected && errorCode(error) === null) throw error;
    throw new StartError(`${(error as Error).message}. ${advice}`, { cause: error });
  } finally {
    await database.close();
    await opened.close();
  }
}
