import { spawn } from 'node:child_process';
import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { canPass, canUse, type SystemUser } from './reachability.ts';

/** Under which user, and in which way, the PostgreSQL programs run. */
export interface RunAs {
  /** Null: as the user of this process. */
  user: SystemUser | null;
  /** Goes before the program on its command line. */
  prefix: string[];
  spawnOptions: { uid?: number; gid?: number };
}

const accessProbe = 'fs.accessSync(process.argv[1], fs.constants.X_OK)';
const asOurselves: RunAs = { user: null, prefix: [], spawnOptions: {} };

export async function chooseRunAs(dataFolder: string, cluster: string, binaries: Binaries): Promise<RunAs> {
  const ownUid = process.getuid?.();
  const clusterOwner = await ownerOf(cluster);
  if (ownUid !== 0) {
    if (clusterOwner !== null && clusterOwner.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL in ${cluster} belongs to another user (uid ${clusterOwner.uid}): ` +
          'start as that user, or set KEYFRONT_DATA to another folder.',
      );
    }
    return asOurselves;
  }
  const user = clusterOwner !== null && clusterOwner.uid !== 0 ? clusterOwner : await systemUser();
  if (await isReachable(dataFolder, binaries, user)) {
    await makePassable(dataFolder, user);
    return { user, prefix: [], spawnOptions: { uid: user.uid | 0, gid: user.gid | 0 } };
  }
  const prefix = [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    // Else access(), by which PostgreSQL looks for its own programs, ignores the capability.
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
      'PostgreSQL refuses to run as root, and the user it would run as cannot enter the folders of this project ' +
        `or its data (${dataFolder}): start as an ordinary user, move the project and KEYFRONT_DATA to folders ` +
        'that every user may enter, install setpriv (util-linux), or set DATABASE_URL.',
    );
  }
  return { user, prefix, spawnOptions: {} };
}

/** Makes a file or folder, with all it holds, the property of the user PostgreSQL runs as. */
export async function giveTo(path: string, user: SystemUser | null): Promise<void> {
  if (user === null || (await ownerOf(path))?.uid === user.uid) {
    return;
  }
  for (const entry of await readdir(path, { recursive: true })) {
    await lchown(join(path, entry), user.uid, user.gid);
  }
  // The folder itself comes last: its owner tells the next start that all of it was given.
  await lchown(path, user.uid, user.gid);
}

async function isReachable(dataFolder: string, binaries: Binaries, user: SystemUser): Promise<boolean> {
  for (const path of [binaries.initdb, binaries.postgres, ...binaries.folders]) {
    if (!(await canUse(path, user))) {
      return false;
    }
  }
  return await canPass(dirname(dataFolder), user);
}

async function makePassable(dataFolder: string, user: SystemUser): Promise<void> {
  if (!(await canPass(dataFolder, user))) {
    await chmod(dataFolder, ((await stat(dataFolder)).mode & 0o777) | 0o111);
  }
}

async function ownerOf(path: string): Promise<SystemUser | null> {
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

async function systemUser(): Promise<SystemUser> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) {
      // macOS writes -2 for what the system calls report as an unsigned number.
      return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this system has no user postgres or nobody to run it as: ' +
      'start as an ordinary user, or set DATABASE_URL.',
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
