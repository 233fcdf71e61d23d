import type { Storefront } from './storefront.ts';

/**
 * Everything that the tables of the service contain, as text. Unlike `pg_dump`, which writes bytes as hexadecimal digits, it
 * shows the characters in columns of bytes too.
 */
export async function dumpDatabase(sql: Storefront['sql']): Promise<string> {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'keyfront'`,
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
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
