import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { migrate } from '../../database/migrations/migrate.ts';
import { readMigrations } from '../../database/migrations/migrations.ts';
import { openDatabase } from '../data-folder/open-database.ts';

interface MigrationOptions {
  readonly logger: Logger;
  readonly onProgress: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** Applies the migrations that the database lacks, and ends. The service does the same whenever it starts. */
export async function migrateDatabase(
  config: Config,
  { logger, onProgress, signal }: MigrationOptions,
): Promise<void> {
  const opened = await openDatabase(config, logger, onProgress);
  try {
    const migrations = await readMigrations();
    const { ownerUrl, url, dataFolder } = opened;
    await migrate({ ownerUrl, loginUrl: url, migrations, dataFolder, onProgress, signal });
    onProgress(`The database has all migrations, up to ${migrations.at(-1)?.name}`);
  } finally {
    await opened.close();
  }
}
