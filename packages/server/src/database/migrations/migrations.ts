import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../lib/package-folder.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The name under which the schema of the folder `baseline` is recorded. It comes before every numbered migration. */
export const baselineName = '0000_baseline';

const migrationsFolder = pathToFileURL(join(packageFolder, 'migrations/'));

/** Reads the baseline, whose files are one migration, and the numbered `.sql` files beside it, in order. */
export async function readMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const areas = await readSqlFiles(new URL('baseline/', folder), /^\d{2}_[a-z_]+\.sql$/);
  const baseline = { name: baselineName, sql: areas.map(({ sql }) => sql).join('\n') };
  const numbered = await readSqlFiles(folder, /^\d{4}_[a-z0-9_]+\.sql$/);
  return [baseline, ...numbered].map(({ name, sql }) => ({
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  }));
}

async function readSqlFiles(folder: URL, pattern: RegExp): Promise<{ name: string; sql: string }[]> {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      // Git may check the file out with other line endings.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql };
    }),
  );
}
