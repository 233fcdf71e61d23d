import { StartError } from '../../lib/errors/start-error.ts';
import type { MigrationSession } from './migration-session.ts';
import { baselineName, type Migration } from './migrations.ts';

/**
 * Returns the migrations that the database lacks. Throws a `StartError` if it has others, or has one that was changed since. `dataFolder` is
 * the folder of the embedded database, or null.
 */
export async function findPending(
  session: MigrationSession,
  migrations: readonly Migration[],
  dataFolder: string | null = null,
): Promise<Migration[]> {
  const rows = await session.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations ORDER BY name',
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const baseline = known.get(baselineName);
  if (baseline && rows.length > 0 && !rows.some(({ checksum }) => checksum === baseline.checksum)) {
    const remedy =
      dataFolder === null
        ? 'start on an empty database.'
        : `delete the data folder ${dataFolder}, or set KEYFRONT_DATA to another one, then start again.`;
    throw new StartError(
      `The database was created by a development version of Keyfront from before 1.0.0, whose data cannot be carried over: ${remedy}`,
    );
  }
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
