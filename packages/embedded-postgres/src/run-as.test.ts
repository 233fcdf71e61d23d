import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { createCluster } from './cluster.ts';
import { type Binaries, findBinaries } from './find-binaries.ts';
import { canEnter, canUse } from './path-access.ts';
import { chooseRunAs } from './run-as.ts';
import { openServerLog } from './server-log.ts';

let base: string;
let folder: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'run-as-')));
  folder = join(base, 'data');
  await mkdir(folder, { mode: 0o700 });
});

afterEach(async () => {
  await rm(base, { recursive: true, force: true });
});

async function copyOf(binaries: Binaries, target: string): Promise<Binaries> {
  const native = dirname(dirname(binaries.postgres));
  await cp(native, target, { recursive: true, verbatimSymlinks: true });
  const moved = (path: string) => path.replace(native, target);
  return {
    ...binaries,
    initdb: moved(binaries.initdb),
    postgres: moved(binaries.postgres),
    folders: binaries.folders.map(moved),
  };
}

describe('path access', () => {
  it('depends on the owner, group or other bits of the path and of every folder above', async () => {
    const inner = join(base, 'inner');
    await mkdir(inner);
    const { uid, gid } = await stat(inner);
    const owner = { uid, gid: gid + 1 };
    const member = { uid: uid + 1, gid };
    const stranger = { uid: uid + 1, gid: gid + 1 };
    const access = async () => [
      await canEnter(inner, owner),
      await canEnter(inner, member),
      await canEnter(inner, stranger),
      await canUse(inner, stranger),
    ];
    await chmod(inner, 0o711);
    await chmod(base, 0o711);
    expect(await access()).toEqual([true, true, true, false]);
    await chmod(inner, 0o705);
    expect(await access()).toEqual([true, false, true, true]);
    await chmod(base, 0o700);
    expect(await access()).toEqual([true, false, false, false]);
  });
});

describe('chooseRunAs', () => {
  it('runs as the user of this process, unless that is root', async () => {
    const ordinaryUid = process.getuid?.() || 54_321;
    const cluster = join(folder, 'postgres');
    const runAs = await chooseRunAs(folder, cluster, await findBinaries(folder), ordinaryUid);
    expect(runAs).toEqual({ user: null, prefix: [], spawnOptions: {} });
  });

  it(
    'lets every user enter the data folder when they may enter the folders above it',
    needs('root'),
    async () => {
      await chmod(base, 0o755);
      const binaries = await copyOf(await findBinaries(folder), join(base, 'native'));
      const { user, prefix } = await chooseRunAs(folder, join(folder, 'postgres'), binaries);
      expect(user?.uid).not.toBe(0);
      expect(prefix).toEqual([]);
      expect((await stat(folder)).mode & 0o777).toBe(0o711);
    },
  );

  it('runs programs that only root can reach', needs('root'), async () => {
    await chmod(base, 0o700);
    const binaries = await copyOf(await findBinaries(folder), join(base, 'native'));
    const cluster = join(folder, 'postgres');
    const runAs = await chooseRunAs(folder, cluster, binaries);
    const logPath = join(folder, 'postgres.log');
    const log = await openServerLog(logPath);
    await createCluster({
      cluster,
      ownerRole: 'owner',
      ownerPassword: 'secret',
      durable: false,
      binaries,
      runAs,
      logPath,
      logFd: log.fd,
    }).finally(() => log.close());
    expect(await readFile(join(cluster, 'PG_VERSION'), 'utf8')).toBe('18\n');
    expect((await stat(cluster)).uid).toBe(runAs.user?.uid);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('fails when there is no setpriv to reach them with', needs('root'), async () => {
    await chmod(base, 0o700);
    const binaries = await findBinaries(folder);
    const poor = { ...binaries, environment: { PATH: base } };
    await expect(chooseRunAs(folder, join(folder, 'postgres'), poor)).rejects.toMatchObject({
      code: 'FOLDERS_NOT_REACHABLE',
    });
  });
});
