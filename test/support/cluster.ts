import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { killTree, spawnService } from '../../faults/src/processes/spawn-service.ts';
import { Database } from '../../packages/server/src/database/database.ts';
import { migrate } from '../../packages/server/src/database/migrations/migrate.ts';
import { readMigrations } from '../../packages/server/src/database/migrations/migrations.ts';
import { seedDemo } from '../../packages/server/src/resources/demo/seed-demo.ts';
import { withDatabase } from './database-url.ts';
import { type Preparations, servePreparations } from './prepared.ts';
import { requireBundle } from './require-bundle.ts';
import { requireProgramsOfNpm } from './requirements.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** As the superuser of the cluster that all test files share. Its database is migrated, empty, and a template. */
    clusterOwnerUrl: string;
    clusterLoginUrl: string;
    /** For files that nobody deletes before the end of the run. */
    runFolder: string;
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
  try {
    return await startCluster(project);
  } catch (error) {
    // With the cache of modules, Vitest fails to map the lines of a stack to their sources, and then shows no message.
    if (error instanceof Error) error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
}

async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  requireProgramsOfNpm();
  requireBundle();
  const folder = await mkdtemp(join(await findFastFolder(), 'keyfront-test-'));
  const cluster = await startEmbeddedPostgres({
    dataFolder: join(folder, 'cluster'),
    database: templateName,
    owner: { name: 'keyfront_owner', password: 'owner of the test cluster' },
    login: { name: 'keyfront_login', password: 'login of the test cluster' },
    durable: false,
    maxConnections: 300,
  });
  await makeCheap(cluster);
  await migrate({ ...cluster, migrations: await readMigrations() });
  const preparations = await servePreparations({
    demo: () => prepareDemo(cluster, join(folder, 'demo')),
    usedDataFolder: () => prepareDataFolder(join(folder, 'data')),
  });
  project.provide('clusterOwnerUrl', cluster.ownerUrl);
  project.provide('clusterLoginUrl', cluster.loginUrl);
  project.provide('runFolder', folder);
  project.provide('preparationsUrl', preparations.url);
  return async () => {
    await preparations.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A run writes about 2 GB: 170 databases of a thousand files each. */
const neededBytes = 8 * 2 ** 30;

/** The folder that Linux keeps in memory, where there is room: to create and delete as many files elsewhere takes 20 seconds. */
async function findFastFolder(): Promise<string> {
  const folder = '/dev/shm';
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) >= neededBytes ? folder : tmpdir();
}

/** Saves processor time that tests would spend on what they do not test. They make hundreds of databases and connections. */
async function makeCheap(cluster: Cluster): Promise<void> {
  const client = new pg.Client(cluster.ownerUrl);
  await client.connect();
  // A client derives its key from the password for each connection.
  await client.query('SET scram_iterations = 1');
  for (const url of [cluster.ownerUrl, cluster.loginUrl].map((text) => new URL(text))) {
    const password = client.escapeLiteral(decodeURIComponent(url.password));
    await client.query(`ALTER ROLE ${client.escapeIdentifier(url.username)} PASSWORD ${password}`);
  }
  // It would visit each database in turn. A test that needs statistics runs ANALYZE.
  await client.query('ALTER SYSTEM SET autovacuum = off');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

async function prepareDemo(cluster: Cluster, folder: string): Promise<Preparations['demo']> {
  const databaseName = 'keyfront_demo';
  const owner = new pg.Client(withDatabase(cluster.ownerUrl, 'postgres'));
  await owner.connect();
  await owner.query(`CREATE DATABASE ${databaseName} TEMPLATE ${templateName} STRATEGY FILE_COPY`);
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
