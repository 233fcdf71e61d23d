import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import {
  killTree,
  type ServiceProcess,
  spawnOtherService,
  spawnService,
  spawnServiceWithNpm,
} from '../../faults/src/processes/spawn-service.ts';
import type { StallablePipe } from '../../faults/src/processes/stallable-pipe.ts';
import { getPrepared } from './prepared.ts';
import { createTestDatabase, type DatabaseContent } from './test-database.ts';

const run = promisify(execFile);

/** The services that run for the tests of this worker. */
const running = new Set<ServiceProcess>();

/** Starts the service for one test, which leaves nothing running even when it fails. */
export function startService(settings: Record<string, string>, pipe?: StallablePipe): ServiceProcess {
  return endWithTest(spawnService(settings, pipe));
}

/** The same with another build of the service. */
export function startOtherService(file: string, settings: Record<string, string>): ServiceProcess {
  return endWithTest(spawnOtherService(file, settings));
}

/** The same with `npm start`. */
export function startWithNpm(settings: Record<string, string>): ServiceProcess {
  return endWithTest(spawnServiceWithNpm(settings));
}

function endWithTest(service: ServiceProcess): ServiceProcess {
  running.add(service);
  void service.ended.then(() => running.delete(service));
  onTestFinished(() => (running.has(service) ? killTree(service) : undefined));
  return service;
}

/** A data folder for one test, removed after it. */
export async function withDataFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'keyfront-start-'));
  const folder = join(parent, 'data');
  try {
    await use(folder);
  } finally {
    // Before the folder is gone, which names the process of the database.
    for (const service of running) if (service.dataFolder === folder) await killTree(service);
    await rm(parent, { recursive: true, force: true });
  }
}

/** A data folder that a service has used and left: its database is migrated and holds the demo. */
export async function withUsedDataFolder(use: (folder: string) => Promise<void>): Promise<void> {
  await withDataFolder(async (folder) => {
    // With owners and modes: where root runs the tests, the cluster belongs to another user.
    await run('cp', ['-pR', await getPrepared('usedDataFolder'), folder]);
    await use(folder);
  });
}

export type ClusterSettings = Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'JWT_SECRET', string>;

/** Settings for a service on the cluster of the tests, where it starts faster than with a cluster of its own. */
export async function onTestCluster(
  use: (settings: ClusterSettings) => Promise<void>,
  content: DatabaseContent = 'migrated',
): Promise<void> {
  const { ownerUrl, loginUrl, close } = await createTestDatabase(content);
  try {
    await use({
      DATABASE_URL: loginUrl,
      DATABASE_OWNER_URL: ownerUrl,
      JWT_SECRET: 'a secret for tests, long enough to be one',
    });
  } finally {
    await close();
  }
}

export type DemoSettings = ClusterSettings & Record<'KEYFRONT_DATA' | 'KEYFRONT_DEMO', string>;

/** Settings for a service on the cluster of the tests, in a database that holds the demo. */
export async function onDemoDatabase(use: (settings: DemoSettings) => Promise<void>): Promise<void> {
  await withDataFolder(async (folder) => {
    await mkdir(folder, { mode: 0o700 });
    const { file } = await getPrepared('demo');
    await copyFile(file, join(folder, 'demo.json'));
    await onTestCluster(
      (settings) => use({ ...settings, KEYFRONT_DATA: folder, KEYFRONT_DEMO: 'on' }),
      'demo',
    );
  });
}
