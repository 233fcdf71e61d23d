import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { login, owner, query, startCluster, stopClusters } from '../test/test-clusters.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { readProcessIdentity } from './process-identity.ts';
import type { EmbeddedPostgresOptions } from './start-embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
/** The lock that a caller of several servers on one folder holds. */
const lock = { release: async () => {} };

const serviceSource = `
import { startEmbeddedPostgres } from '${new URL('../dist/index.js', import.meta.url)}';
process.on('message', async (options) => {
  const { ownerUrl } = await startEmbeddedPostgres(options);
  process.send(ownerUrl);
});
`;

let base: string;
let folder: string;
const children: ChildProcess[] = [];

/** A data folder with a cluster that was created and stopped. Copying it is faster than creating another cluster. */
let createdFolder: string;
beforeAll(async () => {
  createdFolder = join(await mkdtemp(join(tmpdir(), 'embedded-created-')), 'data');
  await chmod(dirname(createdFolder), 0o755);
  await (await start({ dataFolder: createdFolder })).stop();
});
afterAll(() => rm(dirname(createdFolder), { recursive: true, force: true }));

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(base, 0o755);
  folder = join(base, 'data');
});

afterEach(async () => {
  await stopClusters();
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
  await rm(base, { recursive: true, force: true });
});

const start = (changes: Partial<EmbeddedPostgresOptions> = {}) => startCluster(folder, changes);

async function postmasterPid(cluster = join(folder, 'postgres')): Promise<number> {
  return Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function mode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

async function waitingChild(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()', join(folder, 'postgres')], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  children.push(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

describe('startEmbeddedPostgres in a new folder', () => {
  it('keeps passwords out of command lines, environments and the log, and files private', async () => {
    const postgres = await start();
    await expect(query(postgres.loginUrl.replace(/login'/, 'wrong'), 'SELECT 1')).rejects.toThrow();
    const passwords = [owner.password, login.password];
    const secrets = passwords.flatMap((password) => [password, password.slice(6, 30)]);
    const files = ['postgres.log'];
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    if (isLinux) {
      const pid = await postmasterPid();
      texts.push(
        await readFile(`/proc/${pid}/cmdline`, 'utf8'),
        await readFile(`/proc/${pid}/environ`, 'utf8'),
      );
    }
    for (const secret of secrets) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres.lock', 'postgres.log']);
    expect(await mode(join(folder, 'postgres.log'))).toBe(0o600);
    expect(await mode(join(folder, 'postgres'))).toBe(0o700);
    // Another user who runs the server must be able to enter, unless the server starts inside.
    expect(isRoot ? [0o711, 0o700] : [0o700]).toContain(await mode(folder));
  });

  it('removes a cluster that was only half created', async () => {
    const draft = join(folder, 'postgres.new-killed');
    await mkdir(join(draft, 'cluster', 'base'), { recursive: true });
    await writeFile(join(draft, 'cluster', 'PG_VERSION'), '18\n');
    await writeFile(join(draft, 'password'), 'secret');
    const postgres = await start();
    expect(await query(postgres.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres.lock', 'postgres.log']);
  });

  it('truncates a log that has grown over 10 MB', async () => {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024));
    await start();
    const { size } = await stat(join(folder, 'postgres.log'));
    expect(size).toBeLessThan(100_000);
    expect(await mode(join(folder, 'postgres.log'))).toBe(0o600);
  });

  it('runs without privileges inside a folder that only root may enter', needs('root', 'Linux'), async () => {
    await chmod(base, 0o700);
    const secret = join(base, 'secret');
    await writeFile(secret, 'only for root', { mode: 0o600 });
    const first = await start({ lock, durable: true });
    const cluster = join(folder, 'postgres');
    expect((await stat(cluster)).uid).not.toBe(0);
    expect(await mode(folder)).toBe(0o700);
    const status = await readFile(`/proc/${await postmasterPid()}/status`, 'utf8');
    for (const set of ['Inh', 'Prm', 'Eff', 'Amb'])
      expect(status).toContain(`Cap${set}:\t0000000000000000\n`);
    for (const path of [secret, '../../secret']) {
      await expect(query(first.ownerUrl, `SELECT pg_read_file('${path}')`)).rejects.toThrow(
        /Permission denied/,
      );
    }
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS value');
    process.kill(await postmasterPid(), 'SIGKILL');
    const second = await start({ lock });
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ value: 42 }]);
  });
});

describe('startEmbeddedPostgres on an existing cluster', () => {
  beforeEach(() => {
    // With owners and modes: where root runs the tests, the cluster belongs to another user.
    execFileSync('cp', ['-pR', createdFolder, folder]);
  });

  it('is durable by default', async () => {
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
                             current_setting('synchronous_commit') AS commit`;
    const quick = await start();
    expect(await query(quick.ownerUrl, settings)).toEqual([{ fsync: 'off', pages: 'off', commit: 'off' }]);
    await quick.stop();
    const durable = await start({ durable: true, maxConnections: 23 });
    expect(await query(durable.ownerUrl, settings)).toEqual([{ fsync: 'on', pages: 'on', commit: 'on' }]);
    expect(await query(durable.ownerUrl, 'SHOW max_connections')).toEqual([{ max_connections: '23' }]);
  });

  it('keeps the data across restarts, and accepts a changed login password', async () => {
    const first = await start();
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS value');
    const verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = 'app_login'";
    const before = await query(first.ownerUrl, verifier);
    await first.stop();
    await first.stop();

    const progress: string[] = [];
    const second = await start({ onProgress: (message) => progress.push(message) });
    expect(progress.join()).not.toContain('Creating');
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ value: 42 }]);
    expect(await query(second.ownerUrl, verifier)).toEqual(before);
    await second.stop();

    const third = await start({ login: { ...login, password: 'another' } });
    expect(await query(third.loginUrl, 'SELECT current_user AS name')).toEqual([{ name: 'app_login' }]);
  });

  it('locks the data folder until it is stopped, also when the start fails', async () => {
    const first = await start();
    await expect(start()).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' });
    await first.stop();
    await expect(start({ owner: { ...owner, password: 'wrong' } })).rejects.toThrow();
    const held = await lockDataFolder(folder);
    await expect(start()).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' });
    await held.release();
  });

  it('reports that the server was killed, and keeps committed data for the next start', async () => {
    const first = await start({ lock, durable: true });
    const reported = new Promise<string>((resolve) => first.onUnexpectedExit(resolve));
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS value');
    process.kill(await postmasterPid(), 'SIGKILL');
    const second = await start({ lock });
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ value: 42 }]);
    expect(await reported).toMatch(/^PostgreSQL ended unexpectedly \(signal SIGKILL, see .*postgres\.log\)$/);
    await first.stop();
  });

  it('does not report an exit that stop() caused', async () => {
    const postgres = await start();
    const reported: string[] = [];
    postgres.onUnexpectedExit((message) => reported.push(message));
    const pid = await postmasterPid();
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(readProcessIdentity(pid)).toBeNull();
    expect(reported).toEqual([]);
  });

  it('replaces a server that still runs on the cluster', async () => {
    const first = await start({ lock });
    const pid = await postmasterPid();
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS value');
    const second = await start({ lock });
    expect(readProcessIdentity(pid)).toBeNull();
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ value: 42 }]);
  });

  it('replaces the server of a parent process that was killed, and takes over its lock', async () => {
    await writeFile(join(base, 'service.mjs'), serviceSource);
    const service = fork(join(base, 'service.mjs'), [], { execArgv: [] });
    children.push(service);
    const ready = once(service, 'message');
    service.send({ dataFolder: folder, database: 'app', owner, login, durable: false });
    const [ownerUrl] = await ready;
    await query(String(ownerUrl), 'CREATE TABLE kept AS SELECT 42 AS value');
    const pid = await postmasterPid();
    const killed = once(service, 'exit');
    service.kill('SIGKILL');
    await killed;
    expect(readProcessIdentity(pid)).not.toBeNull();

    const postgres = await start();
    expect(readProcessIdentity(pid)).toBeNull();
    expect(await query(postgres.ownerUrl, 'SELECT * FROM kept')).toEqual([{ value: 42 }]);
  });

  it('does not signal an unrelated process whose pid is in a stale postmaster.pid', async () => {
    await (await start()).stop();
    const cluster = join(folder, 'postgres');
    const pid = await waitingChild();
    const identity = readProcessIdentity(pid);
    const { uid, gid } = await stat(cluster);
    const file = join(cluster, 'postmaster.pid');
    await writeFile(file, `${pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n\nready   \n`, { mode: 0o600 });
    await chown(file, uid, gid);

    const postgres = await start();
    expect(await query(postgres.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readProcessIdentity(pid)).toBe(identity);
  });

  it.each(['', 'torn'])('starts when postmaster.pid contains "%s"', async (content) => {
    await (await start()).stop();
    await writeFile(join(folder, 'postgres', 'postmaster.pid'), content);
    const postgres = await start();
    expect(await query(postgres.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('quotes the log when the server does not start, and leaves no server behind', async () => {
    await (await start()).stop();
    const cluster = join(folder, 'postgres');
    await writeFile(join(cluster, 'postgresql.conf'), 'no_such_setting = 1\n');
    const attempt = start();
    await expect(attempt).rejects.toMatchObject({ code: 'SERVER_NOT_STARTED' });
    await expect(attempt).rejects.toThrow(
      /did not start: .*(no_such_setting|postgresql\.conf).*\(see .*postgres\.log\)/,
    );
    expect(await readdir(cluster)).not.toContain('postmaster.pid');
  });

  it('refuses a wrong owner password, and stops the server', async () => {
    await (await start()).stop();
    const attempt = start({ owner: { ...owner, password: 'wrong' } });
    await expect(attempt).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid');
  });

  it(
    'runs as the owner of an existing cluster, and takes ownership of one that belongs to root',
    needs('root'),
    async () => {
      await (await start()).stop();
      const cluster = join(folder, 'postgres');
      const entries = [
        cluster,
        ...(await readdir(cluster, { recursive: true })).map((name) => join(cluster, name)),
      ];
      await Promise.all(entries.map((path) => chown(path, 54_321, 54_321)));
      const other = await start();
      expect((await stat(join(cluster, 'postmaster.pid'))).uid).toBe(54_321);
      await other.stop();
      const root = [
        cluster,
        ...(await readdir(cluster, { recursive: true })).map((name) => join(cluster, name)),
      ];
      await Promise.all(root.map((path) => chown(path, 0, 0)));
      await start();
      expect((await stat(join(cluster, 'PG_VERSION'))).uid).not.toBe(0);
      expect((await stat(dirname(cluster))).uid).toBe(0);
    },
  );

  it('listens on the given port, and fails when it is taken', async () => {
    const first = await start();
    await first.stop();
    const second = await start({ port: first.port });
    expect(second.ownerUrl).toBe(first.ownerUrl);
    expect(await query(first.ownerUrl, 'SELECT inet_server_port() AS port')).toEqual([{ port: first.port }]);
    await second.stop();

    const stranger = createServer();
    stranger.listen(first.port, '127.0.0.1');
    await once(stranger, 'listening');
    try {
      await expect(start({ port: first.port })).rejects.toThrow(
        /did not start: could not create any TCP\/IP sockets/,
      );
    } finally {
      stranger.close();
    }
  });
});
