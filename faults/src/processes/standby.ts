import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readBaseBackup } from '@keyfront/embedded-postgres';
import { findBinaries } from '../../../packages/embedded-postgres/dist/find-binaries.js';
import { makeReachable } from '../../../packages/embedded-postgres/dist/reachable-binaries.js';
import { accessCluster, changeOwner, chooseRunAs } from '../../../packages/embedded-postgres/dist/run-as.js';
import { serverArguments } from '../../../packages/embedded-postgres/dist/server-arguments.js';
import { openServerLog } from '../../../packages/embedded-postgres/dist/server-log.js';
import { startServerProcess } from '../../../packages/embedded-postgres/dist/server-process.js';
import { runSql } from '../load/run-sql.ts';
import { findFreePort } from './free-port.ts';

/** A server that replicates another one. */
export interface Standby {
  readonly ownerUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Makes it a primary. The old primary must have ended. */
  promote(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface StandbyOptions {
  /** Whether a commit is acknowledged only when both have it. Default: true. */
  readonly isSynchronous?: boolean;
  /** Default: any free one. */
  readonly port?: number;
}

const pollMs = 50;

/** Starts a standby from a base backup of the primary, and waits until it replicates. */
export async function startStandby(
  primaryUrl: string,
  dataFolder: string,
  { isSynchronous = true, port: fixedPort }: StandbyOptions = {},
): Promise<Standby> {
  await mkdir(join(dataFolder, 'postgres'), { recursive: true, mode: 0o700 });
  const folder = await realpath(dataFolder);
  const cluster = join(folder, 'postgres');
  await extractBackup(primaryUrl, cluster);
  await writeFile(join(cluster, 'standby.signal'), '');
  const { port: primaryPort, username, password } = new URL(primaryUrl);
  const connection = `host=127.0.0.1 port=${primaryPort} user=${username} password='${decodeURIComponent(password)}' sslmode=disable`;
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection.replaceAll("'", "''")}'\nsynchronous_standby_names = ''\n` +
      'hot_standby_feedback = on\nwal_retrieve_retry_interval = 200\n',
  );

  const runAs = await chooseRunAs(folder, cluster);
  await changeOwner(cluster, runAs.user);
  const binaries = await makeReachable(await findBinaries(folder), runAs.user, {
    onProgress: () => undefined,
  });
  const port = fixedPort ?? (await findFreePort());
  const { cwd, path } = accessCluster(runAs, cluster);
  const start = async () => {
    const log = await openServerLog(join(folder, 'postgres.log'));
    return startServerProcess({
      file: binaries.postgres,
      args: serverArguments(path, { port, maxConnections: 200, durable: true }),
      environment: binaries.environment,
      user: runAs.user,
      cwd,
      logFd: log.fd,
    }).finally(() => log.close());
  };
  let server = await start();
  const url = new URL(primaryUrl);
  url.port = String(port);
  const ownerUrl = url.toString();
  const waitFor = async (onUrl: string, condition: string) => {
    for (;;) {
      const rows = await runSql<{ met: boolean }>(onUrl, `SELECT ${condition} AS met`).catch(() => []);
      if (rows[0]?.met) return;
      if (server.exit() !== null)
        throw new Error(`The standby has ended: see ${join(folder, 'postgres.log')}`);
      await delay(pollMs);
    }
  };
  await waitFor(ownerUrl, 'pg_is_in_recovery()');
  if (isSynchronous) {
    await runSql(primaryUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await runSql(primaryUrl, 'SELECT pg_reload_conf()');
  }
  const state = isSynchronous ? 'sync' : 'async';
  await waitFor(primaryUrl, `EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = '${state}')`);
  return {
    ownerUrl,
    port,
    get pid() {
      return server.pid;
    },
    promote: async () => {
      await runSql(ownerUrl, 'SELECT pg_promote()');
      await waitFor(ownerUrl, 'NOT pg_is_in_recovery()');
    },
    kill: async () => {
      process.kill(-server.pid, 'SIGKILL');
      await server.exited;
    },
    restart: async () => {
      server = await start();
      await waitFor(ownerUrl, 'pg_is_in_recovery()');
    },
    stop: () => server.stop(),
  };
}

async function extractBackup(primaryUrl: string, cluster: string): Promise<void> {
  const tar = spawn('tar', ['-xf', '-', '-C', cluster, '--no-same-owner'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(tar, 'exit');
  // tar ends at the end of the archive, without reading the zeros behind it. It notices a backup that is cut off.
  const writing = pipeline(readBaseBackup({ ownerUrl: primaryUrl }), tar.stdin).catch((cause) => cause);
  const [code] = await exited;
  const cause = await writing;
  if (code !== 0) throw new Error(`tar ended with ${code}`, { cause });
}
