import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import type { Binaries } from './find-binaries.ts';
import { accessCluster, changeOwner, type RunAs } from './run-as.ts';
import { runProgram } from './run-program.ts';
import { findReason, logSize, readLogSince } from './server-log.ts';

const majorVersion = '18';
/** In the staging folder, beside the cluster that is being created. */
const passwordFileName = 'password';

export interface ClusterOptions {
  cluster: string;
  ownerRole: string;
  ownerPassword: string;
  durable: boolean;
  binaries: Binaries;
  runAs: RunAs;
  logPath: string;
  logFd: number;
}

/** Returns whether the folder contains a cluster. Throws when it contains anything that this version cannot run. */
export async function hasCluster(cluster: string): Promise<boolean> {
  let version: string;
  try {
    version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw error;
    }
    if (await isMissingOrEmpty(cluster)) {
      return false;
    }
    throw new EmbeddedPostgresError(
      'NOT_A_CLUSTER',
      `The folder ${cluster} contains files that are not a PostgreSQL cluster`,
    );
  }
  if (version !== majorVersion) {
    throw new EmbeddedPostgresError(
      'OTHER_MAJOR_VERSION',
      `The cluster ${cluster} was created by PostgreSQL ${version}, and this is PostgreSQL ${majorVersion}`,
    );
  }
  return true;
}

/** Creates the cluster in a staging folder and renames it into place, so that a crash never leaves half a cluster. */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { cluster, runAs } = options;
  const staging = await mkdtemp(stagingPrefix(cluster));
  try {
    const draft = join(staging, 'cluster');
    await mkdir(draft, { mode: 0o700 });
    await writeFile(join(staging, passwordFileName), `${options.ownerPassword}\n`, { mode: 0o600 });
    await changeOwner(staging, runAs.user);
    await runInitdb(options, draft);
    await rename(draft, cluster);
    if (options.durable) {
      await syncFolder(dirname(cluster));
    }
  } finally {
    await removeFolder(staging);
  }
}

/** Removes the staging folders of processes that were killed during `createCluster`. They contain a password file. */
export async function removeStagingFolders(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  const prefix = basename(stagingPrefix(cluster));
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) {
      await removeFolder(join(folder, name));
    }
  }
}

async function runInitdb(options: ClusterOptions, draft: string): Promise<void> {
  const { binaries, durable, logPath, logFd, ownerRole, runAs } = options;
  const logPosition = await logSize(logPath);
  const { path } = accessCluster(runAs, draft);
  const { exited } = await runProgram({
    file: binaries.initdb,
    args: [
      `--pgdata=${path}`,
      `--username=${ownerRole}`,
      `--pwfile=${join('..', passwordFileName)}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    environment: binaries.environment,
    user: runAs.user,
    cwd: draft,
    logFd,
  });
  const { code, signal } = await exited;
  if (code !== 0) {
    const reason =
      findReason(await readLogSince(logPath, logPosition)) ?? `initdb ended with ${code ?? signal}`;
    throw new EmbeddedPostgresError(
      'CLUSTER_NOT_CREATED',
      `The PostgreSQL cluster could not be created: ${reason} (see ${logPath})`,
    );
  }
}

function stagingPrefix(cluster: string): string {
  return `${cluster}.new-`;
}

async function isMissingOrEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return true;
    }
    throw error;
  }
}

async function removeFolder(path: string): Promise<void> {
  // An initdb that outlived its parent may still write to the folder; the retries outlast it.
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
