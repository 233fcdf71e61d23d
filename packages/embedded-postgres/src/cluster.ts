import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { runProgram } from './program.ts';
import { giveTo, type RunAs } from './run-as.ts';
import { lastMeaningfulLine, logSize, readLogSince } from './server-log.ts';

const majorVersion = '18';

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

/** Whether there is a cluster that this PostgreSQL can run; throws a EmbeddedPostgresError when something else is there. */
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
      `The folder ${cluster} holds something other than a PostgreSQL cluster: move it away, or set KEYFRONT_DATA ` +
        'to another folder.',
    );
  }
  if (version !== majorVersion) {
    throw new EmbeddedPostgresError(
      `The cluster ${cluster} was made by PostgreSQL ${version}, and this is PostgreSQL ${majorVersion}: ` +
        'upgrade it with pg_upgrade, or set KEYFRONT_DATA to another folder.',
    );
  }
  return true;
}

/** Makes the cluster beside its place and moves it there when it is whole. */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { cluster, runAs } = options;
  const workshop = await mkdtemp(workshopPrefix(cluster));
  try {
    const passwordFile = join(workshop, 'password');
    const draft = join(workshop, 'cluster');
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, `${options.ownerPassword}\n`, { mode: 0o600 });
    await giveTo(workshop, runAs.user);
    await runInitdb(options, draft, passwordFile);
    await rename(draft, cluster);
    if (options.durable) {
      await syncFolder(dirname(cluster));
    }
  } finally {
    await removeTree(workshop);
  }
}

/** Removes what a service killed during createCluster left behind, a password file among it. */
export async function removeLeftOverDrafts(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  const prefix = basename(workshopPrefix(cluster));
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) {
      await removeTree(join(folder, name));
    }
  }
}

async function runInitdb(options: ClusterOptions, draft: string, passwordFile: string): Promise<void> {
  const { binaries, durable, logPath, logFd, ownerRole, runAs } = options;
  const position = await logSize(logPath);
  const { exited } = await runProgram({
    file: binaries.initdb,
    args: [
      `--pgdata=${draft}`,
      `--username=${ownerRole}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    environment: binaries.environment,
    runAs,
    logFd,
  });
  const { code, signal } = await exited;
  if (code !== 0) {
    const reason =
      lastMeaningfulLine(await readLogSince(logPath, position)) ?? `initdb ended with ${code ?? signal}`;
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cluster could not be created: ${reason} (see ${logPath}).`,
    );
  }
}

function workshopPrefix(cluster: string): string {
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

async function removeTree(path: string): Promise<void> {
  // An initdb that outlived its service may still be writing there: retries see it through.
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
