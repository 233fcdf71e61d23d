import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { runSql } from '../../faults/src/load/run-sql.ts';
import { Database } from '../../packages/server/src/database/database.ts';
import { withDatabase } from './database-url.ts';
import { getPrepared } from './prepared.ts';

export { runSql };

export interface TestDatabase {
  readonly database: Database;
  readonly ownerUrl: string;
  readonly loginUrl: string;
  close(): Promise<void>;
}

export type DatabaseContent = 'migrated' | 'demo' | 'nothing';

/** A database of its own: migrated and without a row, with the demo, or with nothing at all in it. */
export async function createTestDatabase(content: DatabaseContent = 'migrated'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // To copy the files takes half the time of writing each page to the log.
  await runAsOwner(`CREATE DATABASE ${name} TEMPLATE ${await templateFor(content)} STRATEGY FILE_COPY`);
  const ownerUrl = withDatabase(inject('clusterOwnerUrl'), name);
  const loginUrl = withDatabase(inject('clusterLoginUrl'), name);
  const database = new Database({ url: loginUrl, poolSize: 5 });
  return {
    database,
    ownerUrl,
    loginUrl,
    // The cluster is deleted with all databases at the end of the run. To drop one costs more than to keep it: ext4 is
    // slow to create files, which the next database needs, for a while after others were deleted.
    close: () => database.close(),
  };
}

/** Connects to the maintenance database, because a template must have no connections. */
function runAsOwner(text: string): Promise<unknown> {
  return runSql(withDatabase(inject('clusterOwnerUrl'), 'postgres'), text);
}

async function templateFor(content: DatabaseContent): Promise<string> {
  if (content === 'demo') return (await getPrepared('demo')).databaseName;
  return content === 'migrated' ? 'keyfront' : 'template0';
}
