import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { killTree, spawnService } from '../../faults/src/processes/spawn-service.ts';
import { Database } from '../../packages/server/src/database/database.ts';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { readMigrations } from '../../packages/server/src/database/migrations.ts';
import { seedDemo } from '../../packages/server/src/demo/seed-demo.ts';
import { withDatabase } from './database-url.ts';
import { type Preparations, servePreparations } from './prepared.ts';
import { requireBundle } from './require-bundle.ts';
import { requireProgramsOfNpm } from './requirements.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** As the superuser of the cluster that all test files share. Its database is migrated, empty, and a template. */
    clusterOwnerUrl: string;
    clusterLoginUrl: string;
  }
}

/** The database that others are copied from. */
const templateName = 'keyfront';

interface Cluster {
  readonly ownerUrl: string;
  readonly loginUrl: string;
}

/** Starts one real PostgreSQL for the whole run; each test file creates databases of its own on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  requireProgramsOfNpm();
  requireBundle();
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-test-'));
  const cluster = await startEmbeddedPostgres({
    dataFolder: join(folder, 'cluster'),
    database: templateName,
    owner: { name: 'keyfront_owner', password: 'owner of the test cluster' },
    login: { name: 'keyfront_login', password: 'login of the test cluster' },
    durable: false,
    maxConnections: 300,
  });
  await migrate({ ...cluster, migrations: await readMigrations() });
  const preparations = await servePreparations({
    demo: () => prepareDemo(cluster, join(folder, 'demo')),
    usedDataFolder: () => prepareDataFolder(join(folder, 'data')),
  });
  project.provide('clusterOwnerUrl', cluster.ownerUrl);
  project.provide('clusterLoginUrl', cluster.loginUrl);
  project.provide('preparationsUrl', preparations.url);
  return async () => {
    await preparations.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function prepareDemo(cluster: Cluster, folder: string): Promise<Preparations['demo']> {
  const databaseName = 'keyfront_demo';
  const owner = new pg.Client(withDatabase(cluster.ownerUrl, 'postgres'));
  await owner.connect();
  await owner.query(`CREATE DATABASE ${databaseName} TEMPLATE ${templateName}`);
  await owner.end();
  const database = new Database({ url: withDatabase(cluster.loginUrl, databaseName), poolSize: 1 });
  try {
    await seedDemo({ database, folder, baseUrl: 'http://127.0.0.1:3000/api/v1', today: new Date() });
  } finally {
    await database.close();
  }
  return { databaseName, file: join(folder, 'demo.json') };
}

async function prepareDataFolder(folder: string): Promise<string> {
  const service = spawnService({ KEYFRONT_DATA: folder });
  try {
    await service.ready;
    await service.end();
  } catch (error) {
    await killTree(service);
    throw error;
  }
  return folder;
}
