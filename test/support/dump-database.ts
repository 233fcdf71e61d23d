import { decompressResponse } from '../../packages/server/src/pipeline/idempotency/compress-response.ts';
import type { Storefront } from './storefront.ts';

/** Older than every row, and than those whose transactions are forgotten. */
const firstTransaction = '1';

export async function currentTransaction(sql: Storefront['sql']): Promise<string> {
  const [row] = await sql<{ id: string }>('SELECT pg_current_xact_id()::xid::text AS id');
  return row?.id ?? firstTransaction;
}

/**
 * Everything that the tables of the database contain, those of the work queue included, as text. Unlike `pg_dump`, which writes bytes as
 * hexadecimal digits, it shows the characters in columns of bytes too. With the id of a transaction, it leaves out rows that were
 * written before it: they cannot contain what is newer.
 */
export async function dumpDatabase(sql: Storefront['sql'], since = firstTransaction): Promise<string> {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    for (const row of await sql(`SELECT * FROM ${name} WHERE age(xmin) <= age($1::xid)`, [since])) {
      for (const value of Object.values(row)) parts.push(writeValue(value));
    }
  }
  return parts.join('\n');
}

function writeValue(value: unknown): string {
  if (Buffer.isBuffer(value)) return readBytes(value).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The characters of a value, as they are and as they would be without the compression of the service. */
export function readBytes(bytes: Buffer): string[] {
  try {
    return [bytes, decompressResponse(bytes)].map((each) => each.toString());
  } catch {
    // Not compressed, but encrypted.
    return [bytes.toString()];
  }
}
