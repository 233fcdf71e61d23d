import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { lockDataFolder } from './data-folder-lock.ts';
import { readProcessIdentity } from './process-identity.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { type SupervisedPostgres, superviseEmbeddedPostgres } from './supervise-embedded-postgres.ts';

/** Each test supervises a copy, because copying a cluster is faster than creating one. */
let createdFolder: string;
let dataFolder: string;
let postgres: SupervisedPostgres | null = null;
let failures: string[];
let restarts: number;

beforeAll(async () => {
  createdFolder = await mkdtemp(join(tmpdir(), 'supervise-created-'));
  await (await startEmbeddedPostgres({ dataFolder: createdFolder, ...options })).stop();
});
afterAll(() => rm(createdFolder, { recursive: true, force: true }));

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'supervise-'));
  // With owners and modes: where root runs the tests, the cluster belongs to another user.
  execFileSync('cp', ['-pR', `${createdFolder}/.`, dataFolder]);
  failures = [];
  restarts = 0;
});

afterEach(async () => {
  await postgres?.stop();
  postgres = null;
  await rm(dataFolder, { recursive: true, force: true });
});

const options = {
  database: 'app',
  owner: { name: 'app_owner', password: 'owner' },
  login: { name: 'app_login', password: 'login' },
  durable: false,
};

async function supervise(): Promise<SupervisedPostgres> {
  postgres = await superviseEmbeddedPostgres({
    dataFolder,
    ...options,
    onFailure: (message) => failures.push(message),
    onRestart: () => {
      restarts += 1;
    },
  });
  return postgres;
}

async function readServerPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

async function readPort(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT inet_server_port() AS port');
  await client.end();
  return rows[0].port;
}

it('restarts a server that was killed, on the same port, as often as needed', async () => {
  const { loginUrl, port } = await supervise();
  for (const round of [1, 2]) {
    process.kill(await readServerPid(), 'SIGKILL');
    await expect.poll(() => restarts, { timeout: 30_000 }).toBe(round);
    expect(await readPort(loginUrl)).toBe(port);
  }
  expect(failures).toEqual(Array(2).fill(expect.stringContaining('PostgreSQL ended unexpectedly')));
});

it('holds the lock until it is stopped, and does not restart after that', async () => {
  const running = await supervise();
  const pid = await readServerPid();
  await expect(lockDataFolder(dataFolder)).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' });
  await running.stop();
  expect(readProcessIdentity(pid)).toBeNull();
  expect([restarts, failures]).toEqual([0, []]);
  await (await lockDataFolder(dataFolder)).release();
});

it('can be stopped while a restart fails again and again', async () => {
  const running = await supervise();
  const pid = await readServerPid();
  // The next start finds a cluster of another version.
  await writeFile(join(dataFolder, 'postgres', 'PG_VERSION'), '17\n');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => failures.length, { timeout: 30_000 }).toBeGreaterThan(2);
  expect(failures.at(-1)).toContain('was created by PostgreSQL 17');
  await running.stop();
  expect(restarts).toBe(0);
});
