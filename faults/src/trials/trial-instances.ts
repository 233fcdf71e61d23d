import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Keyfront, type KeyfrontOptions } from '@keyfront/sdk';
import { type Demo, type HolderCredentials, readDemo } from '../load/holders.ts';
import { findContradictions } from '../load/recount.ts';
import { serviceSettings } from '../processes/database.ts';
import { type Instance, spawnInstance } from '../processes/instance.ts';
import { type KillableDatabase, startKillableDatabase } from '../processes/killable-database.ts';
import { killTree } from '../processes/spawn-service.ts';
import type { TrialContext, TrialResult } from './trial.ts';

/** One or more instances of the service on one database, with the demo. */
export interface TrialInstances {
  readonly database: KillableDatabase;
  readonly instances: readonly Instance[];
  readonly first: Instance;
  readonly demo: Demo;
}

interface InstanceOptions {
  /** The settings of each instance beyond those of the database. Gets a URL of the database. */
  readonly settings?: (loginUrl: string) => Promise<readonly Record<string, string>[]>;
}

/**
 * Starts a database and instances, and ends them after the trial. Whatever the trial did, the database must then be free of
 * contradictions, and the instances must still end when they are told to.
 */
export async function withInstances(
  { folder }: TrialContext,
  { settings = async () => [{}] }: InstanceOptions,
  run: (parts: TrialInstances) => Promise<TrialResult>,
): Promise<TrialResult> {
  const database = await startKillableDatabase(join(folder, 'database'));
  const instances: Instance[] = [];
  const dataFolder = join(folder, 'data');
  await mkdir(dataFolder, { mode: 0o700 });
  const common = {
    ...serviceSettings(database.loginUrl, database.ownerUrl),
    DATA_ENCRYPTION_KEY: 'ab'.repeat(32),
    RATE_LIMIT: 'off',
    KEYFRONT_DATA: dataFolder,
    KEYFRONT_DEMO: 'on',
  };
  try {
    for (const own of await settings(database.loginUrl)) {
      const instance = await spawnInstance({ ...common, ...own });
      instances.push(instance);
      // One after the other: the first one migrates the database.
      await instance.current().ready;
    }
    const [first] = instances;
    if (!first) throw new RangeError('A trial needs an instance');
    const { problems, summary } = await run({ database, instances, first, demo: readDemo(dataFolder) });
    const exits = await Promise.all(instances.map(({ current }) => current().end()));
    return {
      problems: [
        ...problems,
        ...(await findContradictions(database.ownerUrl)),
        ...exits.filter((exit) => exit !== 0).map((exit) => `An instance ended with ${exit}`),
      ],
      summary,
    };
  } finally {
    for (const { current } of instances) await killTree(current());
    await database.stop();
  }
}

/** A client of a holder at an instance. */
export function openClient(
  { baseUrl }: Pick<Instance, 'baseUrl'>,
  { apiKey, secretKey }: HolderCredentials,
  options: Pick<KeyfrontOptions, 'fetch' | 'maxAttempts' | 'deadlineMs'> = {},
): Keyfront {
  return new Keyfront({ baseUrl, apiKey, secretKey, ...options });
}
