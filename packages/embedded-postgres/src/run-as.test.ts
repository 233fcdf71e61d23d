import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { findBinaries } from './find-binaries.ts';
import { canEnter, canUse } from './path-access.ts';
import { makeReachable } from './reachable-binaries.ts';
import { chooseRunAs } from './run-as.ts';

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
  const cluster = () => join(folder, 'postgres');

  it('runs as the user of this process, unless that is root', async () => {
    const ownUid = process.getuid?.() || 54_321;
    expect(await chooseRunAs(folder, cluster(), { ownUid })).toEqual({ user: null, startsInCluster: false });
  });

  it(
    'lets every user enter the data folder when they may enter the folders above it',
    needs('root'),
    async () => {
      await chmod(base, 0o755);
      const { user, startsInCluster } = await chooseRunAs(folder, cluster());
      expect(user?.uid).not.toBe(0);
      expect(startsInCluster).toBe(false);
      expect((await stat(folder)).mode & 0o777).toBe(0o711);
    },
  );

  it(
    'starts inside a cluster that only root can reach, and changes no folder',
    needs('root', 'Linux'),
    async () => {
      await chmod(base, 0o700);
      const { user, startsInCluster } = await chooseRunAs(folder, cluster());
      expect(user?.uid).not.toBe(0);
      expect(startsInCluster).toBe(true);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    },
  );

  it('refuses a folder that only root can reach where a cluster cannot be entered otherwise', async () => {
    const home = join(folder, 'data');
    await chmod(base, 0o700);
    await expect(
      chooseRunAs(home, join(home, 'postgres'), { ownUid: 0, platform: 'darwin' }),
    ).rejects.toMatchObject({
      code: 'FOLDERS_NOT_REACHABLE',
      message: expect.stringMatching(
        /^PostgreSQL refuses to run as root, and the user with the uid \d+ cannot enter the data folder \(.*\)$/,
      ),
    });
  });
});

describe('makeReachable', () => {
  /** Neither root nor the user who runs the tests. */
  const stranger = { uid: 54_321, gid: 54_321 };
  const onProgress = () => {};

  it('returns the installed programs for the user of this process', async () => {
    const binaries = await findBinaries(folder);
    expect(await makeReachable(binaries, null, { onProgress })).toBe(binaries);
  });

  it('copies programs that the user cannot reach, once, readable for everybody', {
    tags: ['long'],
  }, async () => {
    await chmod(base, 0o755);
    const installed = await findBinaries(folder);
    const hidden = { ...installed, postgres: join(folder, 'postgres') };
    await writeFile(hidden.postgres, '', { mode: 0o700 });
    const copiesFolder = join(base, 'copies');
    const messages: string[] = [];
    const options = { copiesFolder, onProgress: (message: string) => messages.push(message) };
    const isReachableHere = await canEnter(base, stranger);
    const copied = await makeReachable(hidden, stranger, options).catch((error) => error);
    if (!isReachableHere) return expect(copied).toMatchObject({ code: 'FOLDERS_NOT_REACHABLE' });
    expect(copied.postgres.startsWith(copiesFolder)).toBe(true);
    expect(await canUse(copied.postgres, stranger)).toBe(true);
    expect(execFileSync(copied.postgres, ['--version'], { encoding: 'utf8' })).toContain('PostgreSQL) 18');
    expect(await makeReachable(hidden, stranger, options)).toEqual(copied);
    expect(messages).toHaveLength(1);
    expect(await readdir(copiesFolder)).toHaveLength(1);
  });

  it('refuses where the programs cannot be copied to', async () => {
    const installed = await findBinaries(folder);
    const hidden = { ...installed, postgres: join(folder, 'postgres') };
    await writeFile(hidden.postgres, '', { mode: 0o700 });
    const copiesFolder = join(hidden.postgres, 'not a folder');
    await expect(makeReachable(hidden, stranger, { onProgress, copiesFolder })).rejects.toMatchObject({
      code: 'FOLDERS_NOT_REACHABLE',
    });
  });
});
