import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type EmbeddedPostgres, readBaseBackup } from '@keyfront/embedded-postgres';
import { connectWhenReady } from '../../packages/embedded-postgres/src/connect-when-ready.ts';
import { findBinaries } from '../../packages/embedded-postgres/src/find-binaries.ts';
import { findFreePort } from '../../packages/embedded-postgres/src/find-free-port.ts';
import { makeReachable } from '../../packages/embedded-postgres/src/reachable-binaries.ts';
import { accessCluster, changeOwner, chooseRunAs } from '../../packages/embedded-postgres/src/run-as.ts';
import { serverArguments } from '../../packages/embedded-postgres/src/server-arguments.ts';
import { startServerProcess } from '../../packages/embedded-postgres/src/server-process.ts';
import { runSql } from './test-database.ts';

export interface Standby {
  readonly ownerUrl: string;
  readonly loginUrl: string;
  readonly port: number;
  promote(): Promise<void>;
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Ends the server at once, as a power failure does. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface StandbyOptions {
  /** An empty folder. */
  readonly folder: string;
  /** The name by which `synchronous_standby_names` refers to the standby. */
  readonly name?: string;
  readonly durable?: boolean;
}

/** Copies a running server and starts the copy as its streaming replica. */
export async function startStandby(
  primary: Pick<EmbeddedPostgres, 'ownerUrl' | 'loginUrl'>,
  { folder, name = 'standby', durable = false }: StandbyOptions,
): Promise<Standby> {
  const cluster = join(folder, 'postgres');
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  const extract = spawn('tar', ['-x', '-C', cluster], { stdio: ['pipe', 'ignore', 'inherit'] });
  const extracted = new Promise((resolve) => extract.once('close', resolve));
  await pipeline(readBaseBackup(primary), extract.stdin);
  await extracted;
  const { port: primaryPort, username, password } = new URL(primary.ownerUrl);
  const connection = `host=127.0.0.1 port=${primaryPort} user=${username} password=''${decodeURIComponent(password)}'' application_name=${name}`;
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection}'\nhot_standby_feedback = on\nwal_retrieve_retry_interval = 100\n`,
  );
  writeFileSync(join(cluster, 'standby.signal'), '');
  execFileSync('chmod', ['-R', 'go-rwx', cluster]);
  const runAs = await chooseRunAs(folder, cluster, {});
  await changeOwner(cluster, runAs.user);
  const binaries = await makeReachable(await findBinaries(folder), runAs.user, { onProgress: () => {} });
  const port = await findFreePort();
  const toUrl = (url: string) => {
    const result = new URL(url);
    result.port = String(port);
    return result.href;
  };
  const ownerUrl = toUrl(primary.ownerUrl);
  const logFd = openSync(join(folder, 'postgres.log'), 'a');
  const { cwd, path } = accessCluster(runAs, cluster);
  const startServer = async () => {
    const server = await startServerProcess({
      file: binaries.postgres,
      args: serverArguments(path, { port, maxConnections: 100, durable }),
      environment: binaries.environment,
      user: runAs.user,
      cwd,
      logFd,
    });
    const client = await connectWhenReady(server, cluster, ownerUrl, Date.now() + 60_000);
    if (!client) throw new Error(`The standby did not start: see ${folder}/postgres.log`);
    await client.end();
    return server;
  };
  let server = await startServer();
  return {
    ownerUrl,
    loginUrl: toUrl(primary.loginUrl),
    port,
    promote: async () => {
      await runSql(ownerUrl, 'SELECT pg_promote()');
    },
    pauseReplay: async () => {
      await runSql(ownerUrl, 'SELECT pg_wal_replay_pause()');
    },
    resumeReplay: async () => {
      await runSql(ownerUrl, 'SELECT pg_wal_replay_resume()');
    },
    kill: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    start: async () => {
      server = await startServer();
    },
    stop: () => server.stop(),
  };
}
