import { spawn } from 'node:child_process';
import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import type { Binaries } from './find-binaries.ts';
import { canEnter, canUse, type SystemUser } from './path-access.ts';

/** The user that the PostgreSQL programs run as, and how they become that user. */
export interface RunAs {
  /** Null when they run as the user of this process. */
  user: SystemUser | null;
  /** A command that runs the program, as the start of its command line. */
  prefix: string[];
  spawnOptions: { uid?: number; gid?: number };
}

const accessProbe = 'fs.accessSync(process.argv[1], fs.constants.X_OK)';
const asOwnUser: RunAs = { user: null, prefix: [], spawnOptions: {} };

/**
 * Chooses the user to run as. PostgreSQL refuses to run as root, so a root process runs it as the owner of the cluster, or
 * as `postgres` or `nobody`. Where that user cannot enter the folders, `setpriv` grants the capability to do so.
 */
export async function chooseRunAs(
  dataFolder: string,
  cluster: string,
  binaries: Binaries,
  ownUid = process.getuid?.(),
): Promise<RunAs> {
  const clusterOwner = await readOwner(cluster);
  if (ownUid !== 0) {
    if (clusterOwner !== null && clusterOwner.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        'CLUSTER_OF_OTHER_USER',
        `The cluster ${cluster} belongs to another user (uid ${clusterOwner.uid})`,
      );
    }
    return asOwnUser;
  }
  const user = clusterOwner !== null && clusterOwner.uid !== 0 ? clusterOwner : await findSystemUser();
  if (await isReachable(dataFolder, binaries, user)) {
    await makeEnterable(dataFolder, user);
    return { user, prefix: [], spawnOptions: { uid: user.uid | 0, gid: user.gid | 0 } };
  }
  const prefix = [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    // Without it access(), which PostgreSQL uses to find its own programs, ignores the capability.
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--',
  ];
  if (
    !(await succeeds(
      [...prefix, process.execPath, '-e', accessProbe, binaries.postgres],
      binaries.environment,
    ))
  ) {
    throw new EmbeddedPostgresError(
      'FOLDERS_NOT_REACHABLE',
      `PostgreSQL refuses to run as root, and the user with the uid ${user.uid} cannot enter the folder of its ` +
        `programs (${dirname(binaries.postgres)}) or the data folder (${dataFolder})`,
    );
  }
  return { user, prefix, spawnOptions: {} };
}

/** Gives a folder and its content to the user that PostgreSQL runs as. Does nothing when it belongs to them already. */
export async function changeOwner(path: string, user: SystemUser | null): Promise<void> {
  if (user === null || (await readOwner(path))?.uid === user.uid) {
    return;
  }
  for (const entry of await readdir(path, { recursive: true })) {
    await lchown(join(path, entry), user.uid, user.gid);
  }
  // The folder itself comes last: its owner shows the next start that all of its content was changed.
  await lchown(path, user.uid, user.gid);
}

async function isReachable(dataFolder: string, binaries: Binaries, user: SystemUser): Promise<boolean> {
  for (const path of [binaries.initdb, binaries.postgres, ...binaries.folders]) {
    if (!(await canUse(path, user))) {
      return false;
    }
  }
  return await canEnter(dirname(dataFolder), user);
}

async function makeEnterable(dataFolder: string, user: SystemUser): Promise<void> {
  if (!(await canEnter(dataFolder, user))) {
    await chmod(dataFolder, ((await stat(dataFolder)).mode & 0o777) | 0o111);
  }
}

async function readOwner(path: string): Promise<SystemUser | null> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

async function findSystemUser(): Promise<SystemUser> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) {
      // macOS writes -2 where system calls report an unsigned number.
      return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    }
  }
  throw new EmbeddedPostgresError(
    'NO_USER_FOR_ROOT',
    'PostgreSQL refuses to run as root, and this system has no user postgres or nobody',
  );
}

function succeeds(commandLine: string[], environment: Record<string, string>): Promise<boolean> {
  const [program = '', ...args] = commandLine;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: '/', env: environment, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
