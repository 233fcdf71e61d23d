import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { Database } from '../../database/database.ts';
import { dropSchema } from '../../database/migrations/drop-schema.ts';
import { type MigrateOptions, migrate } from '../../database/migrations/migrate.ts';
import { readMigrations } from '../../database/migrations/migrations.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { type DemoFile, readDemoFile } from '../../resources/demo/demo-file.ts';
import { findDemo, seedDemo } from '../../resources/demo/seed-demo.ts';
import { verifyInstallation } from '../../resources/sandbox/verify-installation.ts';
import { type OpenDatabase, openDatabase } from '../data-folder/open-database.ts';

interface ResetOptions {
  readonly logger: Logger;
  readonly onProgress: (message: string) => void;
  /** Asks whether to delete everything in the database. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

const unchanged = 'Nothing was changed.';

/** Deletes everything in the database of a demo, and loads the demo as at its first start, with the same keys. */
export async function resetDemo(
  config: Config,
  { logger, onProgress, confirm, signal }: ResetOptions,
): Promise<void> {
  if (!config.demo)
    throw new StartError(
      `This is not a demo: KEYFRONT_DEMO is off, or DATABASE_URL is set without it. ${unchanged}`,
    );
  // Before a database is created where there is none.
  if ((await readDemoFile(config.dataFolder)) === null)
    throw new StartError(
      `There is no demo.json in ${config.dataFolder}: set KEYFRONT_DATA to the data folder of the demo. ${unchanged}`,
    );
  const opened = await openDatabase(config, logger, onProgress);
  try {
    await migrateTo(opened, { signal });
    const before = await withDatabase(opened, (database) => findDemo(database, config.dataFolder));
    if (before === null) {
      throw new StartError(
        `The database is not a demo: its holders are not those of demo.json in ${config.dataFolder}. ${unchanged}`,
      );
    }
    if (!(await confirm(`Delete everything in the ${opened.description}, and load the demo again?`))) {
      throw new StartError(`Canceled. ${unchanged}`);
    }
    signal.throwIfAborted();
    if (!(await dropSchema(opened.ownerUrl)))
      throw new StartError(`Other programs use the database: stop the service first. ${unchanged}`);
    await migrateTo(opened, { signal, onProgress });
    onProgress('Loading the demo');
    const after = await withDatabase(opened, async (database) => {
      await verifyInstallation(database, config.sandbox);
      return loadAgain(database, config.dataFolder, before);
    });
    if (after === null) throw new StartError('Another program has added a holder meanwhile: try again.');
  } finally {
    await opened.close();
  }
  onProgress('The demo is as at its first start. The keys in demo.json are the same.');
  onProgress('Sessions, webhooks and events are gone, like all that was added. Uploaded images stay.');
}

function loadAgain(database: Database, folder: string, before: DemoFile): Promise<DemoFile | null> {
  return seedDemo({ database, folder, baseUrl: before.baseUrl, today: new Date() });
}

async function migrateTo(
  { ownerUrl, url, dataFolder }: OpenDatabase,
  options: Pick<MigrateOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  await migrate({ ownerUrl, loginUrl: url, migrations: await readMigrations(), dataFolder, ...options });
}

async function withDatabase<Result>(
  { url, directUrl }: OpenDatabase,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = new Database({ url, directUrl, poolSize: 1 });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
