import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { createCluster, hasCluster, removeStagingFolders } from './cluster.ts';
import { connectWhenReady } from './connect-when-ready.ts';
import { type DataFolderLock, lockDataFolder } from './data-folder-lock.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Binaries, findBinaries } from './find-binaries.ts';
import { findFreePort } from './find-free-port.ts';
import { prepareDatabase } from './prepare-database.ts';
import { makeReachable } from './reachable-binaries.ts';
import { accessCluster, changeOwner, chooseRunAs, type RunAs } from './run-as.ts';
import type { ProgramExit } from './run-program.ts';
import { serverArguments } from './server-arguments.ts';
import { findReason, logSize, openServerLog, readLogSince } from './server-log.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { stopStaleServer } from './stale-server.ts';

const maintenanceDatabase = 'postgres';
const defaultMaxConnections = 100;
const readyTimeoutMs = 60_000;
const maxPortAttempts = 10;
const predecessorTimeoutMs = 10_000;
const predecessorPollMs = 100;

/** A database role and its password. */
export interface RoleCredentials {
  name: string;
  password: string;
}

export interface EmbeddedPostgresOptions {
  /** Contains the cluster and its log. Created when it does not exist. */
  dataFolder: string;
  /** The name of the database. Created when it does not exist. */
  database: string;
  /** The superuser of the cluster, who owns the database. The password cannot be changed after the first start. */
  owner: RoleCredentials;
  /** An ordinary role that may log in. Created, or given this password, at each start. */
  login: RoleCredentials;
  /**
   * A lock on the data folder that the caller holds already and releases after `stop()`. By default the server takes
   * the lock itself, and releases it when it stops.
   */
  lock?: DataFolderLock;
  /** `false` turns off fsync: faster, but a power failure may destroy the data. For tests. Default: `true`. */
  durable?: boolean;
  /** Default: 100. */
  maxConnections?: number;
  /** The TCP port of 127.0.0.1 to listen on. Default: any free port. */
  port?: number;
  /** Called with a sentence before each step that takes a moment. */
  onProgress?: (message: string) => void;
}

/** A PostgreSQL server that accepts connections. */
export interface EmbeddedPostgres {
  port: number;
  /** Connects to the database as its owner, a superuser. */
  ownerUrl: string;
  /** Connects to the database as the ordinary login role. */
  loginUrl: string;
  /** Shuts the server down and waits until it has ended. Further calls wait for the same end. */
  stop(): Promise<void>;
  /** Calls the listener with a sentence if the server ends without `stop()`. */
  onUnexpectedExit(listener: (message: string) => void): void;
}

/** Everything that starting a server process on the cluster needs. */
interface Installation {
  cluster: string;
  logPath: string;
  logFd: number;
  binaries: Binaries;
  runAs: RunAs;
  durable: boolean;
  maxConnections: number;
  fixedPort: number | null;
  ownerRole: string;
  ownerPassword: string;
  onProgress: (message: string) => void;
}

interface ReadyServer {
  server: ServerProcess;
  port: number;
  client: Client;
}

/**
 * Starts the PostgreSQL server of a data folder, and creates the cluster, the database and the login role at the first
 * start. A server that a killed process left running on the same folder is stopped first. Throws an
 * `EmbeddedPostgresError` when the server cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (options.lock !== undefined) {
    return startLocked(options);
  }
  const lock = await lockDataFolder(options.dataFolder);
  try {
    const postgres = await startLocked(options);
    return { ...postgres, stop: () => postgres.stop().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.dataFolder);
  const cluster = join(folder, 'postgres');
  const logPath = join(folder, 'postgres.log');
  const onProgress = options.onProgress ?? (() => {});
  const runAs = await chooseRunAs(folder, cluster);
  const binaries = await makeReachable(await findBinaries(folder), runAs.user, { onProgress });
  const log = await openServerLog(logPath);
  try {
    const installation: Installation = {
      cluster,
      logPath,
      logFd: log.fd,
      binaries,
      runAs,
      durable: options.durable ?? true,
      maxConnections: options.maxConnections ?? defaultMaxConnections,
      fixedPort: options.port ?? null,
      ownerRole: options.owner.name,
      ownerPassword: options.owner.password,
      onProgress,
    };
    await ensureCluster(installation);
    const ready = await launch(installation);
    await stopOnFailure(ready.server, async () => {
      const names = {
        database: options.database,
        ownerRole: options.owner.name,
        loginRole: options.login.name,
      };
      await prepareDatabase(ready.client, names, options.login.password);
      await ready.client.end();
    });
    ready.server.unref();
    return describeRunning(ready, options, logPath);
  } finally {
    await log.close();
  }
}

async function ensureCluster(installation: Installation): Promise<void> {
  const { cluster, onProgress } = installation;
  await removeStagingFolders(cluster);
  if (!(await hasCluster(cluster))) {
    onProgress(`Creating a PostgreSQL cluster in ${cluster}`);
    await createCluster(installation);
  }
  // A cluster that root has copied or restored belongs to root.
  await changeOwner(cluster, installation.runAs.user);
}

async function launch(installation: Installation): Promise<ReadyServer> {
  const { cluster, fixedPort, logPath, onProgress } = installation;
  onProgress('Starting PostgreSQL');
  const deadline = Date.now() + readyTimeoutMs;
  let portAttempts = 0;
  let predecessorSeenAt: number | null = null;
  for (;;) {
    await stopStaleServer(cluster, onProgress);
    const port = fixedPort ?? (await findFreePort());
    const logPosition = await logSize(logPath);
    const { cwd, path } = accessCluster(installation.runAs, cluster);
    const server = await startServerProcess({
      file: installation.binaries.postgres,
      args: serverArguments(path, { ...installation, port }),
      environment: installation.binaries.environment,
      user: installation.runAs.user,
      cwd,
      logFd: installation.logFd,
    });
    const owner = { name: installation.ownerRole, password: installation.ownerPassword };
    const client = await stopOnFailure(server, () =>
      connectWhenReady(server, cluster, buildUrl(owner, port, maintenanceDatabase), deadline),
    );
    if (client !== null) {
      return { server, port, client };
    }
    const exit = server.exit();
    if (exit === null) {
      await server.stop();
      throw new EmbeddedPostgresError(
        'SERVER_NOT_READY',
        `PostgreSQL was not ready within ${readyTimeoutMs / 1000} seconds (see ${logPath})`,
      );
    }
    const output = await readLogSince(logPath, logPosition);
    portAttempts += 1;
    if (reportsTakenPort(output) && fixedPort === null && portAttempts < maxPortAttempts) {
      continue;
    }
    predecessorSeenAt ??= Date.now();
    if (reportsPredecessor(output) && Date.now() - predecessorSeenAt < predecessorTimeoutMs) {
      await delay(predecessorPollMs);
      continue;
    }
    const reason = findReason(output) ?? describeExit(exit);
    throw new EmbeddedPostgresError(
      'SERVER_NOT_STARTED',
      `PostgreSQL did not start: ${reason} (see ${logPath})`,
    );
  }
}

function reportsTakenPort(output: string): boolean {
  return /could not create any TCP\/IP sockets/.test(output);
}

/**
 * Returns whether an earlier server is still ending: its child processes hold the shared memory for a moment, and a
 * server that was killed early may not have written its pid yet.
 */
function reportsPredecessor(output: string): boolean {
  return /pre-existing shared memory block|lock file "postmaster\.pid" (already exists|is empty)/.test(
    output,
  );
}

async function stopOnFailure<Result>(server: ServerProcess, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function describeRunning(
  { server, port }: ReadyServer,
  { database, owner, login }: EmbeddedPostgresOptions,
  logPath: string,
): EmbeddedPostgres {
  const unexpectedExit = server.exited.then((exit) =>
    server.isStopping() ? null : `PostgreSQL ended unexpectedly (${describeExit(exit)}, see ${logPath})`,
  );
  return {
    port,
    ownerUrl: buildUrl(owner, port, database),
    loginUrl: buildUrl(login, port, database),
    stop: () => server.stop(),
    onUnexpectedExit: (listener) => {
      void unexpectedExit.then((message) => {
        if (message !== null) {
          listener(message);
        }
      });
    },
  };
}

/** Returns the URL of a database on the loopback interface. */
export function buildUrl(role: RoleCredentials, port: number, database: string): string {
  const [name, password, path] = [role.name, role.password, database].map(encodeURIComponent);
  // The server listens on the loopback interface and has no certificate. PGSSLMODE in the environment must not matter.
  return `postgres://${name}:${password}@127.0.0.1:${port}/${path}?sslmode=disable`;
}

function describeExit({ code, signal }: ProgramExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
