import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLongRun } from '../../../test/support/scale.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readProcessIdentity } from './process-identity.ts';

const contenderSource = `
import { lockDataFolder } from '${new URL('../dist/data-folder-lock.js', import.meta.url)}';
process.on('message', async (folder) => {
  try {
    await lockDataFolder(folder);
    process.send({ pid: process.pid, refusal: null });
  } catch (error) {
    process.send({ pid: process.pid, refusal: error.message });
  }
});
process.send('ready');
`;

interface Outcome {
  pid: number;
  refusal: string | null;
}

let programs: string;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'lock-programs-'));
  await writeFile(join(programs, 'contender.mjs'), contenderSource);
});

afterAll(async () => {
  await rm(programs, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    await end(child);
  }
  await rm(folder, { recursive: true, force: true });
});

async function startContender(): Promise<ChildProcess> {
  const child = fork(join(programs, 'contender.mjs'), [], { execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return child;
}

async function contend(child: ChildProcess, path: string): Promise<Outcome> {
  const reply = once(child, 'message');
  child.send(path);
  const [outcome] = await reply;
  return outcome;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

function lockPath(): string {
  return join(folder, 'postgres.lock');
}

async function expectTakenOver(): Promise<void> {
  const lock = await lockDataFolder(folder);
  const content: unknown = JSON.parse(await readFile(lockPath(), 'utf8'));
  expect(content).toMatchObject({ pid: process.pid, identity: readProcessIdentity(process.pid) });
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
}

describe('lockDataFolder', () => {
  it('creates a private folder, and leaves nothing in it after the release', async () => {
    const made = join(folder, 'a', 'b');
    const lock = await lockDataFolder(made);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    expect((await stat(join(made, 'postgres.lock'))).mode & 0o777).toBe(0o600);
    expect(await readdir(made)).toEqual(['postgres.lock']);
    await lock.release();
    await lock.release();
    expect(await readdir(made)).toEqual([]);
  });

  it('fails while a live process holds the lock, and takes it over once that process is dead', async () => {
    const holder = await startContender();
    const outcome = await contend(holder, folder);
    expect(outcome).toEqual({ pid: holder.pid, refusal: null });
    const attempt = lockDataFolder(folder);
    await expect(attempt).rejects.toBeInstanceOf(EmbeddedPostgresError);
    await expect(attempt).rejects.toMatchObject({
      code: 'DATA_FOLDER_IN_USE',
      message: `The data folder ${folder} is in use by another process (${holder.pid})`,
    });
    await end(holder);
    await expectTakenOver();
  });

  it('fails for a second lock of the same process', async () => {
    const lock = await lockDataFolder(folder);
    await expect(lockDataFolder(folder)).rejects.toThrow(`another process (${process.pid})`);
    await lock.release();
    await expectTakenOver();
  });

  it('uses the given file name', async () => {
    const lock = await lockDataFolder(folder, { fileName: 'app.lock' });
    expect(await readdir(folder)).toEqual(['app.lock']);
    await expect(lockDataFolder(folder, { fileName: 'app.lock' })).rejects.toThrow('is in use');
    await lock.release();
  });

  it('does not release the lock of another process', async () => {
    const lock = await lockDataFolder(folder);
    await writeFile(lockPath(), 'of another process');
    await lock.release();
    expect(await readFile(lockPath(), 'utf8')).toBe('of another process');
  });

  it.each([
    ['empty', ''],
    ['torn', '{"pid": 12'],
    ['full of zeros', '\0'.repeat(64)],
    ['of another shape', '[1, 2]'],
    ['of a dead process', JSON.stringify({ pid: 2 ** 30, identity: 'gone' })],
    ['of an earlier process with our own pid', JSON.stringify({ pid: process.pid, identity: 'earlier' })],
    [
      'of an earlier process with a pid now in use',
      JSON.stringify({ pid: process.ppid, identity: 'earlier' }),
    ],
  ])('takes over a lock file that is %s', async (_, content) => {
    await writeFile(lockPath(), content);
    await expectTakenOver();
  });

  it('takes over when a process died during a takeover', async () => {
    const dead = JSON.stringify({ pid: 2 ** 30, identity: 'gone' });
    await writeFile(lockPath(), dead);
    await writeFile(`${lockPath()}.takeover`, dead);
    await writeFile(`${lockPath()}.takeover.takeover`, '');
    await expectTakenOver();
  });

  it('lets exactly one of several processes take over a stale lock', async () => {
    const contenders = await Promise.all(Array.from({ length: isLongRun ? 12 : 3 }, startContender));
    const dead = JSON.stringify({ pid: 2 ** 30, identity: 'gone' });
    for (let round = 0; round < 25; round += 1) {
      const contested = join(folder, String(round));
      await mkdir(contested);
      await writeFile(join(contested, 'postgres.lock'), dead);
      if (round % 2 === 1) {
        await writeFile(join(contested, 'postgres.lock.takeover'), dead);
      }
      const outcomes = await Promise.all(contenders.map((child) => contend(child, contested)));
      const winners = outcomes.filter(({ refusal }) => refusal === null);
      expect(winners).toHaveLength(1);
      for (const { refusal } of outcomes.filter((outcome) => outcome !== winners[0])) {
        expect(refusal).toContain(`is in use by another process (${winners[0]?.pid})`);
      }
      expect(await readdir(contested)).toEqual(['postgres.lock']);
    }
  });

  it('fails for a folder that cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    const attempt = lockDataFolder(join(folder, 'file', 'below'));
    await expect(attempt).rejects.toMatchObject({
      code: 'DATA_FOLDER_NOT_USABLE',
      message: expect.stringMatching(/^The data folder \S+ cannot be used \(ENOTDIR.*\)$/),
    });
  });
});
