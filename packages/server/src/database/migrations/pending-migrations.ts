import { StartError } from '../../lib/errors/start-error.ts';
import type { MigrationSession } from './migration-session.ts';
import type { Migration } from './migrations.ts';

/** Returns the migrations that the database lacks. Throws a `StartError` if it has others, or has one that was changed since. */
export async function findPending(
  session: MigrationSession,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const rows = await session.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations ORDER BY name',
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const applied of rows) {
    const file = known.get(applied.name);
    if (!file) {
      throw new StartError(
        `The database has the migration ${applied.name}, which this version of Keyfront does not have: start the ` +
          `version that applied it, or a newer one.`,
      );
    }
    if (file.checksum !== applied.checksum) {
      throw new StartError(
        `The migration ${applied.name} was changed after it was applied to this database: restore the file, and ` +
          `write the change as a new migration.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  const newest = rows.at(-1)?.name ?? '';
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const late = pending.find((migration) => migration.name < newest);
  if (late) {
    throw new StartError(
      `The migration ${late.name} comes before ${newest}, which is already applied: give it the next free number.`,
    );
  }
  return pending;
}
