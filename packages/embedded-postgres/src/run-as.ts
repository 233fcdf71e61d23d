import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { canEnter, type SystemUser } from './path-access.ts';

/** The user that the PostgreSQL programs run as, and how they reach the cluster. */
export interface RunAs {
  /** Null when they run as the user of this process. */
  user: SystemUser | null;
  /**
   * Whether the user cannot enter the folders above the cluster. The programs are then started inside the cluster, and
   * reach it as their working directory. They get no privilege for that.
   */
  startsInCluster: boolean;
}

/** How a program is started so that it reaches a cluster. */
export interface ClusterAccess {
  cwd: string;
  /** The path of the cluster for the command line. */
  path: string;
}

const workingDirectory = '/proc/self/cwd';
const asOwnUser: RunAs = { user: null, startsInCluster: false };

/**
 * Chooses the user to run as. PostgreSQL refuses to run as root, so a root process runs it as the owner of the cluster, or
 * as `postgres` or `nobody`.
 */
export async function chooseRunAs(
  dataFolder: string,
  cluster: string,
  { ownUid = process.getuid?.(), platform = process.platform } = {},
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
  if (await canEnter(dirname(dataFolder), user)) {
    await makeEnterable(dataFolder, user);
    return { user, startsInCluster: false };
  }
  if (platform !== 'linux') {
    throw notReachable(user, `the data folder (${dataFolder})`);
  }
  return { user, startsInCluster: true };
}

/** Returns how a program that runs as this user reaches the cluster. */
export function accessCluster({ startsInCluster }: RunAs, cluster: string): ClusterAccess {
  return startsInCluster ? { cwd: cluster, path: workingDirectory } : { cwd: '/', path: cluster };
}

/** The error for a folder that the user of PostgreSQL needs and cannot enter. */
export function notReachable(
  { uid }: SystemUser,
  folder: string,
  options?: ErrorOptions,
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'FOLDERS_NOT_REACHABLE',
    `PostgreSQL refuses to run as root, and the user with the uid ${uid} cannot enter ${folder}`,
    options,
  );
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
