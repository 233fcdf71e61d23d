import type pg from 'pg';

/** A migration as it is read from its file. */
interface MigrationText {
  readonly name: string;
  readonly sql: string;
}

interface TableState {
  readonly name: string;
  readonly file: string;
  /** Type and whether it is required without a default, by name. */
  readonly columns: Readonly<Record<string, { readonly type: string; readonly isRequired: boolean }>>;
}

interface TableUse {
  readonly name: string;
  readonly isLocked: boolean;
  readonly scans: number;
  readonly changes: number;
}

/** Tables that stay small, however many orders there are. A migration may read and change all of their rows. */
const smallTables = new Set([
  'chain_positions',
  'delivery_charges',
  'migrations',
  'planets',
  'primary_beats',
  'primary_timelines',
  'queue_workers',
  'strain_locations',
  'strains',
  'webhook_dispatch',
]);

const statementsWithoutTransaction =
  /^(CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS|DROP INDEX CONCURRENTLY IF EXISTS|ALTER TABLE \S+ VALIDATE CONSTRAINT|SELECT set_config\('search_path',)\s/i;

/**
 * Applies a migration and returns a sentence for everything in it that would stop or break running instances. That is a
 * rewritten table, a large table that is read under a lock, rows that are changed all at once, and a change to columns
 * that the version before it still needs. It looks at what PostgreSQL does, not at the text, because the text does not
 * tell: some changes of a type rewrite the table, others do not.
 */
export async function lintMigration(client: pg.Client, { name, sql }: MigrationText): Promise<string[]> {
  const findings: string[] = [];
  const before = await listTables(client);
  if (/^-- no-transaction *\n/.test(sql)) {
    for (const text of splitStatements(sql)) {
      if (!statementsWithoutTransaction.test(text)) {
        findings.push(
          `${name} runs outside of a transaction what may run inside of one, or twice: ${text.slice(0, 60)}`,
        );
      }
      await client.query(text);
    }
  } else {
    await client.query('BEGIN');
    const earlier = new Map((await listUses(client)).map((use) => [use.name, use]));
    await client.query(sql);
    for (const { name: table, isLocked, ...counts } of await listUses(client)) {
      if (!before.has(table) || smallTables.has(table)) continue;
      const changes = counts.changes - (earlier.get(table)?.changes ?? 0);
      const scans = counts.scans - (earlier.get(table)?.scans ?? 0);
      if (changes > 0) findings.push(`${name} changes rows of ${table}: do that in a job, in batches`);
      else if (isLocked && scans > 0) findings.push(`${name} reads ${table} while nobody can write to it`);
    }
    await client.query('COMMIT');
  }
  const after = await listTables(client);
  for (const table of before.values()) findings.push(...compareTables(name, table, after.get(table.name)));
  return findings;
}

function compareTables(migration: string, before: TableState, after: TableState | undefined): string[] {
  if (!after) return [`${migration} removes ${before.name}, which running instances use`];
  const findings = before.file === after.file ? [] : [`${migration} rewrites ${before.name}`];
  for (const [column, { type }] of Object.entries(before.columns)) {
    const now = after.columns[column];
    if (!now) findings.push(`${migration} removes ${before.name}.${column}, which running instances use`);
    else if (now.type !== type) findings.push(`${migration} changes the type of ${before.name}.${column}`);
    else if (now.isRequired && !before.columns[column]?.isRequired)
      findings.push(`${migration} requires ${before.name}.${column}, which running instances may leave out`);
  }
  for (const [column, { isRequired }] of Object.entries(after.columns)) {
    if (isRequired && !before.columns[column])
      findings.push(`${migration} requires ${before.name}.${column}, which running instances do not know`);
  }
  return findings;
}

async function listTables(client: pg.Client): Promise<Map<string, TableState>> {
  const { rows } = await client.query<TableState>(
    `SELECT relname AS name, relfilenode::text AS file,
       jsonb_object_agg(attname, jsonb_build_object('type', format_type(atttypid, atttypmod),
         'isRequired', attnotnull AND NOT atthasdef AND attidentity = '')) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
     WHERE relnamespace = 'keyfront'::regnamespace AND relkind IN ('r', 'p') GROUP BY relname, relfilenode`,
  );
  return new Map(rows.map((table) => [table.name, table]));
}

/** What the session has done with each table. PostgreSQL also counts transactions that it has not reported yet. */
async function listUses(client: pg.Client): Promise<TableUse[]> {
  const { rows } = await client.query<TableUse>(
    `SELECT relname AS name, (seq_scan + coalesce(idx_scan, 0))::int AS scans, (n_tup_upd + n_tup_del)::int AS changes,
       EXISTS (SELECT FROM pg_locks WHERE relation = relid AND pid = pg_backend_pid()
         AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) AS "isLocked"
     FROM pg_stat_xact_user_tables WHERE schemaname = 'keyfront'`,
  );
  return rows;
}

function splitStatements(sql: string): string[] {
  return sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
