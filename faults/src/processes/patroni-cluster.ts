import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runSql } from '../load/run-sql.ts';
import { findChildren } from './find-children.ts';
import { findFreePort } from './free-port.ts';
import { findPostmasterPid, sendSignal } from './spawn-service.ts';

/** A server of the cluster: PostgreSQL, and the Patroni that manages it. */
export interface PatroniNode {
  readonly name: string;
  readonly port: number;
  /** Kills PostgreSQL and Patroni without a warning. */
  kill(): Promise<void>;
  /** Kills PostgreSQL alone. Patroni starts it again, or leaves it to another server to lead. */
  killPostgres(): void;
  /** Stops PostgreSQL and Patroni where they are, as a virtual machine that is paused. */
  freeze(): void;
  /** Starts Patroni again after a kill. It rewinds PostgreSQL where that is necessary. */
  start(): Promise<void>;
}

/** Three PostgreSQL servers with synchronous replication, of which Patroni makes one the primary. */
export interface PatroniCluster {
  /** Names all servers, as `DATABASE_URL` does. */
  readonly loginUrl: string;
  readonly ownerUrl: string;
  readonly nodes: readonly PatroniNode[];
  /** The primary, as Patroni sees it. Waits until there is one, with a synchronous standby. */
  waitForLeader(): Promise<PatroniNode>;
  /** Waits until all servers run, and replicate the primary. Returns it. */
  waitForAll(): Promise<PatroniNode>;
  /** A URL of the primary alone. */
  leaderUrl(): Promise<string>;
  /** Makes the synchronous standby the primary. */
  switchOver(): Promise<void>;
  /** Kills etcd, so that no server can be sure that it leads. */
  killEtcd(): Promise<void>;
  startEtcd(): Promise<void>;
  stop(): Promise<void>;
}

/** After this time without a sign of life the primary is replaced. It is the shortest that Patroni accepts. */
export const leaseSeconds = 20;
const pollMs = 200;
const startTimeoutMs = 120_000;

const superuser = { username: 'postgres', password: 'superuser of the trial' };
const login = { username: 'keyfront_login', password: 'login of the trial' };

/** Says what the machine lacks for such a cluster. Null if it has everything. */
export function findPatroniLack(): string | null {
  const lacks = ['patroni', 'etcd'].filter((name) => !existsSync(`/usr/bin/${name}`));
  if (findServerPrograms() === null) lacks.push('PostgreSQL with pg_basebackup and pg_rewind');
  return lacks.length === 0
    ? null
    : `${lacks.join(' and ')} (on Debian: apt-get install patroni etcd-server postgresql)`;
}

function findServerPrograms(): string | null {
  const folder = '/usr/lib/postgresql';
  if (!existsSync(folder)) return null;
  const [newest] = readdirSync(folder).sort((one, other) => Number(other) - Number(one));
  const programs = join(folder, newest ?? '', 'bin');
  return existsSync(join(programs, 'pg_rewind')) ? programs : null;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root. */
function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const read = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

/** Starts the cluster in an empty folder, with an empty database. */
export async function startPatroniCluster(folder: string): Promise<PatroniCluster> {
  const owner = findOwner();
  const makeFolder = async (path: string) => {
    await mkdir(path, { mode: 0o700 });
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(path, owner.uid, owner.gid);
  };
  await mkdir(folder, { mode: 0o711 });
  // The user of PostgreSQL must reach it.
  await chmod(dirname(folder), 0o711);
  const launch = async (program: string, args: readonly string[], log: string, environment = {}) => {
    const file = await open(join(folder, log), 'a');
    const child = spawn(program, args, {
      ...owner,
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', file.fd, file.fd],
    });
    await file.close();
    return child;
  };

  const [etcdPort, peerPort] = [await findFreePort(), await findFreePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  await makeFolder(join(folder, 'etcd'));
  const startEtcd = () =>
    launch(
      'etcd',
      [
        `--data-dir=${join(folder, 'etcd')}`,
        `--listen-client-urls=${etcdUrl}`,
        `--advertise-client-urls=${etcdUrl}`,
        `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
        `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
        `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
      ],
      'etcd.log',
      { ETCD_UNSUPPORTED_ARCH: process.arch },
    );
  let etcd = await startEtcd();

  const nodes: (PatroniNode & { readonly restUrl: string; end(): Promise<void> })[] = [];
  for (const name of ['one', 'two', 'three']) {
    const [port, restPort] = [await findFreePort(), await findFreePort()];
    const home = join(folder, name);
    await makeFolder(home);
    const settings = describeNode({ name, port, restPort, etcdPort, home });
    await writeFile(join(home, 'patroni.json'), JSON.stringify(settings), { mode: 0o644 });
    const start = () => launch('patroni', [join(home, 'patroni.json')], `${name}.log`);
    let patroni: ChildProcess = await start();
    const postmaster = () => findPostmasterPid(home);
    const listProcesses = () => {
      const pid = postmaster();
      return [patroni.pid, ...(pid === null ? [] : [pid, ...findChildren(pid)])].filter(
        (each) => each !== undefined,
      );
    };
    nodes.push({
      name,
      port,
      restUrl: `http://127.0.0.1:${restPort}`,
      kill: async () => {
        const ended = patroni.exitCode === null && patroni.signalCode === null ? once(patroni, 'exit') : null;
        for (const pid of listProcesses()) sendSignal(pid, 'SIGKILL');
        await ended;
      },
      killPostgres: () => {
        const pid = postmaster();
        if (pid !== null) sendSignal(pid, 'SIGKILL');
      },
      freeze: () => {
        for (const pid of listProcesses()) sendSignal(pid, 'SIGSTOP');
      },
      start: async () => {
        patroni = await start();
      },
      end: async () => {
        for (const pid of listProcesses()) sendSignal(pid, 'SIGKILL');
      },
    });
  }

  const readMembers = async (): Promise<readonly Member[]> => {
    for (const { restUrl } of nodes) {
      const response = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      );
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const waitFor = async (isMet: (members: readonly Member[]) => boolean, what: string) => {
    for (const endAt = performance.now() + startTimeoutMs; performance.now() < endAt; await delay(pollMs)) {
      const members = await readMembers();
      const leader = nodes.find(({ name }) => members.some((each) => isLeader(each) && each.name === name));
      // Patroni's word is a few seconds old. PostgreSQL knows whether it accepts writes.
      if (leader && isMet(members) && (await acceptsWrites(urlOf(leader.port)))) return leader;
    }
    throw new Error(`${what} within ${startTimeoutMs / 1000} s: see ${folder}`);
  };
  const urlOf = (port: number, { username, password } = superuser, database = 'postgres') =>
    `postgres://${username}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const urlOfAll = ({ username, password }: typeof superuser) =>
    `postgres://${username}:${encodeURIComponent(password)}@${hosts}/keyfront`;

  const waitForAll = () =>
    waitFor(
      (members) => members.length === nodes.length && members.every(isWorking) && members.some(isSyncStandby),
      'Not all servers replicate the primary',
    );
  const cluster: PatroniCluster = {
    loginUrl: urlOfAll(login),
    ownerUrl: urlOfAll(superuser),
    nodes,
    waitForLeader: () =>
      waitFor((members) => members.some(isSyncStandby), 'No primary with a synchronous standby'),
    waitForAll,
    leaderUrl: async () => urlOf((await cluster.waitForLeader()).port, superuser, 'keyfront'),
    switchOver: async () => {
      const leader = await waitForAll();
      const response = await fetch(`${leader.restUrl}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader.name }),
      });
      if (!response.ok)
        throw new Error(`Patroni refused to switch over: ${response.status} ${await response.text()}`);
    },
    killEtcd: async () => {
      const ended = once(etcd, 'exit');
      etcd.kill('SIGKILL');
      await ended;
    },
    startEtcd: async () => {
      etcd = await startEtcd();
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.end()));
      etcd.kill('SIGKILL');
    },
  };
  try {
    const { port } = await waitForAll();
    await runSql(urlOf(port), `CREATE ROLE ${login.username} LOGIN PASSWORD '${login.password}'`);
    await runSql(urlOf(port), 'CREATE DATABASE keyfront');
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** A server, as Patroni lists it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

const isLeader = ({ role, state }: Member) => role === 'leader' && state === 'running';
const isSyncStandby = ({ role }: Member) => role === 'sync_standby';
/** Newer versions of Patroni say `streaming` of a standby. */
const isWorking = ({ state }: Member) => state === 'running' || state === 'streaming';

async function acceptsWrites(url: string): Promise<boolean> {
  const rows = await runSql<{ met: boolean }>(url, 'SELECT NOT pg_is_in_recovery() AS met').catch(() => []);
  return rows[0]?.met === true;
}

interface NodePlace {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
  readonly home: string;
}

/** The configuration of a Patroni, as JSON, which is YAML too. */
function describeNode({ name, port, restPort, etcdPort, home }: NodePlace): object {
  const replicator = { username: 'replicator', password: 'replicator of the trial' };
  return {
    scope: 'keyfront',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: leaseSeconds,
        loop_wait: 2,
        retry_timeout: 3,
        // No commit is acknowledged that only one server has, also while there is no standby.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_log_hints: 'on', hot_standby_feedback: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(home, 'postgres'),
      bin_dir: findServerPrograms(),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser, replication: replicator, rewind: superuser },
      parameters: { unix_socket_directories: home },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    // Without a device, the trial does what a watchdog would: it resets a server that is frozen for longer than its lease.
    watchdog: { mode: 'off' },
  };
}
