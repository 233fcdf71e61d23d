import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { createCluster, hasCluster, removeLeftOverDrafts } from './cluster.ts';
import { connectWhenReady } from './connect-when-ready.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { freePort } from './free-port.ts';
import { endLeftOverServer } from './left-over-server.ts';
import { prepareDatabase } from './prepare-database.ts';
import type { ProgramExit } from './program.ts';
import { chooseRunAs, giveTo, type RunAs } from './run-as.ts';
import { type Server, startServer } from './server.ts';
import { lastMeaningfulLine, logSize, openServerLog, readLogSince } from './server-log.ts';
import { serverArguments } from './server-settings.ts';

const names = { database: 'keyfront', ownerRole: 'keyfront_owner', loginRole: 'keyfront_login' };
const maintenanceDatabase = 'postgres';
const defaultMaxConnections = 100;
const readinessPatienceMs = 60_000;
const portAttempts = 10;
const predecessorPatienceMs = 10_000;
const predecessorPollMs = 100;

export interface EmbeddedPostgresOptions {
  /** The data folder, whose lock the caller holds; the cluster is `postgres` in it. */
  folder: string;
  ownerPassword: string;
  loginPassword: string;
  /** False trades safety in a power cut for speed: for tests. */
  durable?: boolean;
  maxConnections?: number;
  /** Where to listen, for a restart that callers shall find at the old address; by default any free port. */
  port?: number;
  onProgress?: (sentence: string) => void;
}

export interface EmbeddedPostgres {
  port: number;
  /** As the superuser keyfront_owner. */
  ownerUrl: string;
  /** As the plain role keyfront_login. */
  loginUrl: string;
  databaseName: string;
  stop(): Promise<void>;
  onUnexpectedExit(listener: (sentence: string) => void): void;
}

/** Everything that starting a server on the cluster needs. */
interface Installation {
  cluster: string;
  logPath: string;
  logFd: number;
  binaries: Binaries;
  runAs: RunAs;
  durable: boolean;
  maxConnections: number;
  fixedPort: number | null;
  ownerPassword: string;
  onProgress: (sentence: string) => void;
}

interface ReadyServer {
  server: Server;
  port: number;
  client: Client;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.folder);
  const cluster = join(folder, 'postgres');
  const logPath = join(folder, 'postgres.log');
  const binaries = await findBinaries(folder);
  const runAs = await chooseRunAs(folder, cluster, binaries);
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
      ownerPassword: options.ownerPassword,
      onProgress: options.onProgress ?? (() => {}),
    };
    await ensureCluster(installation);
    const ready = await launch(installation);
    await withServerEndingOnFailure(ready.server, async () => {
      await prepareDatabase(ready.client, names, options.loginPassword);
      await ready.client.end();
    });
    ready.server.letGo();
    return embeddedPostgres(ready, options, logPath);
  } finally {
    await log.close();
  }
}

async function ensureCluster(installation: Installation): Promise<void> {
  const { cluster, onProgress } = installation;
  await removeLeftOverDrafts(cluster);
  if (!(await hasCluster(cluster))) {
    onProgress(`Creating the embedded PostgreSQL cluster in ${cluster}.`);
    await createCluster({ ...installation, ownerRole: names.ownerRole });
  }
  // A cluster that root copied or restored belongs to root.
  await giveTo(cluster, installation.runAs.user);
}

async function launch(installation: Installation): Promise<ReadyServer> {
  const { cluster, fixedPort, logPath, onProgress } = installation;
  onProgress('Starting the embedded PostgreSQL.');
  const giveUpAt = Date.now() + readinessPatienceMs;
  let portsTried = 0;
  let predecessorSeenAt: number | null = null;
  for (;;) {
    await endLeftOverServer(cluster, onProgress);
    const port = fixedPort ?? (await freePort());
    const logPosition = await logSize(logPath);
    const server = await startServer({
      file: installation.binaries.postgres,
      args: serverArguments(cluster, { ...installation, port }),
      environment: installation.binaries.environment,
      runAs: installation.runAs,
      logFd: installation.logFd,
    });
    const url = urlOf(names.ownerRole, installation.ownerPassword, port, maintenanceDatabase);
    const client = await withServerEndingOnFailure(server, () =>
      connectWhenReady(server, cluster, url, giveUpAt),
    );
    if (client !== null) {
      return { server, port, client };
    }
    const exit = server.exit();
    if (exit === null) {
      await server.stop();
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL was not ready within ${readinessPatienceMs / 1000} seconds: ` +
          `see ${logPath} and start again.`,
      );
    }
    const printed = await readLogSince(logPath, logPosition);
    portsTried += 1;
    if (tellsOfTakenPort(printed) && fixedPort === null && portsTried < portAttempts) {
      continue;
    }
    predecessorSeenAt ??= Date.now();
    if (tellsOfPredecessor(printed) && Date.now() - predecessorSeenAt < predecessorPatienceMs) {
      await delay(predecessorPollMs);
      continue;
    }
    const reason = lastMeaningfulLine(printed) ?? endedBy(exit);
    throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${reason} (see ${logPath}).`);
  }
}

function tellsOfTakenPort(printed: string): boolean {
  return /could not create any TCP\/IP sockets/.test(printed);
}

/** Processes of a killed server hold its memory for a moment; one killed early may not have told its pid yet. */
function tellsOfPredecessor(printed: string): boolean {
  return /pre-existing shared memory block|lock file "postmaster\.pid" (already exists|is empty)/.test(
    printed,
  );
}

async function withServerEndingOnFailure<Result>(
  server: Server,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function embeddedPostgres(
  { server, port }: ReadyServer,
  options: EmbeddedPostgresOptions,
  logPath: string,
): EmbeddedPostgres {
  const unexpectedEnd = server.exited.then((exit) =>
    server.isStopping()
      ? null
      : `The embedded PostgreSQL ended unexpectedly (${endedBy(exit)}): see ${logPath}.`,
  );
  return {
    port,
    ownerUrl: urlOf(names.ownerRole, options.ownerPassword, port, names.database),
    loginUrl: urlOf(names.loginRole, options.loginPassword, port, names.database),
    databaseName: names.database,
    stop: () => server.stop(),
    onUnexpectedExit: (listener) => {
      unexpectedEnd.then((sentence) => {
        if (sentence !== null) {
          listener(sentence);
        }
      });
    },
  };
}

function urlOf(role: string, password: string, port: number, database: string): string {
  // Whatever PGSSLMODE says in the environment: this server listens on the loopback and has no certificate.
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function endedBy({ code, signal }: ProgramExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
