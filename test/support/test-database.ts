import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { Database } from '../../packages/server/src/database/database.ts';

export interface TestDatabase {
  readonly database: Database;
  readonly ownerUrl: string;
  readonly loginUrl: string;
  drop(): Promise<void>;
}

/** A database of its own: migrated and without a row, or with nothing at all in it. */
export async function createTestDatabase(
  content: 'migrated' | 'nothing' = 'migrated',
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = content === 'migrated' ? 'keyfront' : 'template0';
  await runAsOwner(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const ownerUrl = withDatabase(inject('clusterOwnerUrl'), name);
  const loginUrl = withDatabase(inject('clusterLoginUrl'), name);
  const database = new Database({ url: loginUrl, poolSize: 5 });
  return {
    database,
    ownerUrl,
    loginUrl,
    drop: async () => {
      await database.close();
      await runAsOwner(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Runs statements beside the service, as the owner of a database. */
export async function runSql<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** In the maintenance database: one that is a template must have no other connection. */
function runAsOwner(text: string): Promise<unknown> {
  return runSql(withDatabase(inject('clusterOwnerUrl'), 'postgres'), text);
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url);
  result.pathname = `/${name}`;
  return result.toString();
}
