import { decompressResponse } from '../../packages/server/src/pipeline/idempotency/compress-response.ts';
import type { Storefront } from './storefront.ts';

/**
 * Everything that the tables of the database contain, those of the work queue included, as text. Unlike `pg_dump`, which writes bytes as
 * hexadecimal digits, it shows the characters in columns of bytes too.
 */
export async function dumpDatabase(sql: Storefront['sql']): Promise<string> {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    for (const row of await sql(`SELECT * FROM ${name}`)) {
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
