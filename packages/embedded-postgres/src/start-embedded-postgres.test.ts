import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
import { Client, type QueryResultRow } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { processIdentity } from './process-identity.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const ownerPassword = `owner/${randomBytes(12).toString('hex')} @:%`;
const loginPassword = `login'${randomBytes(12).toString('hex')}`;

const serviceSource = `
import { startEmbeddedPostgres } from '${new URL('../dist/index.js', import.meta.url)}';
process.on('message', async (options) => {
  const { ownerUrl } = await startEmbeddedPostgres(options);
  process.send(ownerUrl);
});
`;

let base: string;
let folder: string;
const started: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(base, 0o755);
  folder = join(base, 'data');
});

afterEach(async () => {
  for (const postgres of started.splice(0)) {
    await postgres.stop();
  }
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
  await rm(base, { recursive: true, force: true });
});

async function start(changes: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    folder,
    ownerPassword,
    loginPassword,
    durable: false,
    ...changes,
  });
  started.push(postgres);
  return postgres;
}

async function query<Row extends QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

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

describe('startEmbeddedPostgres', () => {
  it('creates the cluster, the database and the plain login role at the first start', async () => {
    const progress: string[] = [];
    const postgres = await start({ onProgress: (sentence) => progress.push(sentence) });
    expect(postgres.databaseName).toBe('keyfront');
    expect(progress[0]).toContain('Creating the embedded PostgreSQL cluster');

    const login = await query(
      postgres.loginUrl,
      `SELECT current_user AS name, current_database() AS database, rolsuper, rolcreatedb, rolcreaterole
         FROM pg_roles WHERE rolname = current_user`,
    );
    expect(login).toEqual([
      {
        name: 'keyfront_login',
        database: 'keyfront',
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
      },
    ]);

    const owner = await query(
      postgres.ownerUrl,
      `SELECT rolsuper, pg_get_userbyid(datdba) AS owner, datlocprovider, datlocale,
              pg_encoding_to_char(encoding) AS encoding, current_setting('server_version_num')::int / 10000 AS major,
              current_setting('listen_addresses') AS listens, current_setting('unix_socket_directories') AS sockets,
              current_setting('data_checksums') AS checksums, current_setting('max_connections') AS connections
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
    );
    expect(owner).toEqual([
      {
        rolsuper: true,
        owner: 'keyfront_owner',
        datlocprovider: 'b',
        datlocale: 'C.UTF-8',
        encoding: 'UTF8',
        major: 18,
        listens: '127.0.0.1',
        sockets: '',
        checksums: 'on',
        connections: '100',
      },
    ]);
    const rules = await query(postgres.ownerUrl, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules');
    expect(rules).toEqual([{ auth_method: 'scram-sha-256' }]);
  });

  it('is durable unless told otherwise', async () => {
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
                             current_setting('synchronous_commit') AS commit`;
    const quick = await start();
    expect(await query(quick.ownerUrl, settings)).toEqual([{ fsync: 'off', pages: 'off', commit: 'off' }]);
    await quick.stop();
    const durable = await start({ durable: true, maxConnections: 23 });
    expect(await query(durable.ownerUrl, settings)).toEqual([{ fsync: 'on', pages: 'on', commit: 'on' }]);
    expect(await query(durable.ownerUrl, 'SHOW max_connections')).toEqual([{ max_connections: '23' }]);
  });

  it('keeps the data over a restart, creates nothing anew and takes a changed login password', async () => {
    const first = await start();
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = 'keyfront_login'";
    const before = await query(first.ownerUrl, verifier);
    await first.stop();
    await first.stop();

    const progress: string[] = [];
    const second = await start({ onProgress: (sentence) => progress.push(sentence) });
    expect(progress.join()).not.toContain('Creating');
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
    expect(await query(second.ownerUrl, verifier)).toEqual(before);
    await second.stop();

    const third = await start({ loginPassword: 'another' });
    expect(await query(third.loginUrl, 'SELECT current_user AS name')).toEqual([{ name: 'keyfront_login' }]);
  });

  it('shows no secret on command lines, in environments or in the log, and opens no file to others', async () => {
    const postgres = await start();
    await expect(query(postgres.loginUrl.replace(/login'/, 'wrong'), 'SELECT 1')).rejects.toThrow();
    const secrets = [ownerPassword, loginPassword, ownerPassword.slice(6, 30), loginPassword.slice(6, 30)];
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
    expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres.log']);
    expect(await mode(join(folder, 'postgres.log'))).toBe(0o600);
    expect(await mode(join(folder, 'postgres'))).toBe(0o700);
    // Passable where another user runs the server, unless that user cannot get there the plain way anyhow.
    expect(isRoot ? [0o711, 0o700] : [0o700]).toContain(await mode(folder));
  });

  it('starts after the server was killed, tells of its end, and keeps what was committed', async () => {
    const first = await start({ durable: true });
    const told = new Promise<string>((resolve) => first.onUnexpectedExit(resolve));
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(await postmasterPid(), 'SIGKILL');
    const second = await start();
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
    expect(await told).toMatch(
      /^The embedded PostgreSQL ended unexpectedly \(signal SIGKILL\): see .*postgres\.log/,
    );
    await first.stop();
  });

  it('tells nobody of an end that was asked for', async () => {
    const postgres = await start();
    const told: string[] = [];
    postgres.onUnexpectedExit((sentence) => told.push(sentence));
    const pid = await postmasterPid();
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(processIdentity(pid)).toBeNull();
    expect(told).toEqual([]);
  });

  it('replaces a server that still runs on the cluster', async () => {
    const first = await start();
    const pid = await postmasterPid();
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const second = await start();
    expect(processIdentity(pid)).toBeNull();
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('replaces the server of a service that was killed', async () => {
    await writeFile(join(base, 'service.mjs'), serviceSource);
    const service = fork(join(base, 'service.mjs'), [], { execArgv: [] });
    children.push(service);
    const ready = once(service, 'message');
    service.send({ folder, ownerPassword, loginPassword, durable: false });
    const [ownerUrl] = await ready;
    await query(String(ownerUrl), 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = await postmasterPid();
    const killed = once(service, 'exit');
    service.kill('SIGKILL');
    await killed;
    expect(processIdentity(pid)).not.toBeNull();

    const postgres = await start();
    expect(processIdentity(pid)).toBeNull();
    expect(await query(postgres.ownerUrl, 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('leaves alone an unrelated process whose pid a stale postmaster.pid names', async () => {
    await (await start()).stop();
    const cluster = join(folder, 'postgres');
    const pid = await waitingChild();
    const identity = processIdentity(pid);
    const { uid, gid } = await stat(cluster);
    const file = join(cluster, 'postmaster.pid');
    await writeFile(file, `${pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n\nready   \n`, { mode: 0o600 });
    await chown(file, uid, gid);

    const postgres = await start();
    expect(await query(postgres.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(processIdentity(pid)).toBe(identity);
  });

  it.each(['', 'torn'])('starts over a postmaster.pid that holds "%s"', async (content) => {
    await (await start()).stop();
    await writeFile(join(folder, 'postgres', 'postmaster.pid'), content);
    const postgres = await start();
    expect(await query(postgres.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('removes a half-made cluster and makes a whole one', async () => {
    const draft = join(folder, 'postgres.new-killed');
    await mkdir(join(draft, 'cluster', 'base'), { recursive: true });
    await writeFile(join(draft, 'cluster', 'PG_VERSION'), '18\n');
    await writeFile(join(draft, 'password'), 'secret');
    const postgres = await start();
    expect(await query(postgres.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  it('refuses a folder that is no cluster, or one of another version, and changes nothing in it', async () => {
    const cluster = join(folder, 'postgres');
    await mkdir(cluster, { recursive: true });
    await writeFile(join(cluster, 'photos'), 'mine');
    await expect(start()).rejects.toThrow(/holds something other than a PostgreSQL cluster: move it away/);
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, and this is PostgreSQL 18: /);
    expect((await readdir(cluster)).toSorted()).toEqual(['PG_VERSION', 'photos']);
    expect((await stat(join(cluster, 'photos'))).uid).toBe(process.getuid?.());
  });

  it('quotes the log when the server does not start, and leaves no server behind', async () => {
    await (await start()).stop();
    const cluster = join(folder, 'postgres');
    await writeFile(join(cluster, 'postgresql.conf'), 'no_such_setting = 1\n');
    const attempt = start();
    await expect(attempt).rejects.toBeInstanceOf(EmbeddedPostgresError);
    await expect(attempt).rejects.toThrow(
      /did not start: .*(no_such_setting|postgresql\.conf).*\(see .*postgres\.log\)/,
    );
    expect(await readdir(cluster)).not.toContain('postmaster.pid');
  });

  it('tells in one sentence that the owner password does not fit, and ends the server', async () => {
    await (await start()).stop();
    await expect(start({ ownerPassword: 'wrong' })).rejects.toThrow(/does not accept the password/);
    expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid');
  });

  it('empties a log that has grown over 10 MB', async () => {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024));
    await start();
    const { size } = await stat(join(folder, 'postgres.log'));
    expect(size).toBeLessThan(100_000);
    expect(await mode(join(folder, 'postgres.log'))).toBe(0o600);
  });

  it.runIf(isRoot)('runs as another user below a folder that only root may enter', async () => {
    await chmod(base, 0o700);
    const first = await start({ durable: true });
    const cluster = join(folder, 'postgres');
    expect((await stat(cluster)).uid).not.toBe(0);
    expect(await mode(folder)).toBe(0o700);
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(await postmasterPid(), 'SIGKILL');
    const second = await start();
    expect(await query(second.ownerUrl, 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
  });

  it.runIf(isRoot)(
    'runs as the owner of an existing cluster, and adopts one that belongs to root',
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

  it('starts again at a port it is given, and tells when that port is taken', async () => {
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
