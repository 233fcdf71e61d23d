import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { readMigrations } from '../../packages/server/src/database/migrations.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** As the superuser of the cluster that all test files share. Its database is migrated, empty, and a template. */
    clusterOwnerUrl: string;
    clusterLoginUrl: string;
  }
}

/** One real PostgreSQL for the whole run; each test file takes databases of its own from it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-test-'));
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    database: 'keyfront',
    owner: { name: 'keyfront_owner', password: 'owner of the test cluster' },
    login: { name: 'keyfront_login', password: 'login of the test cluster' },
    durable: false,
    maxConnections: 300,
  });
  await migrate({ ...server, migrations: await readMigrations() });
  project.provide('clusterOwnerUrl', server.ownerUrl);
  project.provide('clusterLoginUrl', server.loginUrl);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
