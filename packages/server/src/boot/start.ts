import { join, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { explainStartFailure } from '../database/connection/start-failure.ts';
import { Database } from '../database/database.ts';
import { migrate } from '../database/migrations/migrate.ts';
import { readMigrations } from '../database/migrations/migrations.ts';
import { StartError } from '../lib/errors/start-error.ts';
import { isLoopbackHost } from '../lib/network/loopback.ts';
import { versionPrefix } from '../lib/request/version-prefix.ts';
import { consoleLink, deriveConsoleToken } from '../resources/demo/console-token.ts';
import { type DemoFile, writeDemoFile } from '../resources/demo/demo-file.ts';
import { seedDemo } from '../resources/demo/seed-demo.ts';
import { verifyInstallation } from '../resources/sandbox/verify-installation.ts';
import { verifyFileStores } from './data-folder/file-stores.ts';
import { type OpenDatabase, openDatabase } from './data-folder/open-database.ts';
import { findEndOfLifeNotice } from './node-version.ts';
import type { RunningService } from './serve.ts';
import type { ServiceLog, ServiceSettings } from './service.ts';
import { readServiceVersion } from './service-version.ts';

export interface StartedService extends Pick<RunningService, 'baseUrl' | 'close'> {
  /** The lines to print when the service is ready. The last one contains its address. */
  readonly announcement: readonly string[];
  /** Replaces the processes that serve by processes with these secrets. Rejects if they cannot start: the former ones stay. */
  reloadSecrets(config: Config): Promise<void>;
}

/** Starts everything in order: the database, its schema, the demo data, and the HTTP server. */
export async function start(
  config: Config,
  log: ServiceLog,
  onProgress: (message: string) => void,
  /** Aborted when the process is told to stop. The start then fails soon, and leaves nothing running. */
  signal?: AbortSignal,
): Promise<StartedService> {
  // Loaded while the database starts. With workers, this process does not need the code that serves requests.
  const loading =
    config.workers === 1
      ? import('./serve.ts').then(({ serve }) => serve)
      : import('./workers.ts').then(({ serveWithWorkers }) => serveWithWorkers);
  const opened = await openDatabase(config, log.logger, onProgress);
  try {
    await verifyFileStores(config.imageStorage);
    await migrate({
      ownerUrl: opened.ownerUrl,
      loginUrl: opened.url,
      migrations: await readMigrations(),
      dataFolder: opened.dataFolder,
      onProgress,
      signal,
    });
    const demo = await prepareData(config, opened);
    signal?.throwIfAborted();
    const consoleToken =
      demo && offersDemoWallets(config) ? deriveConsoleToken(demo.admin.walletPrivateKey) : null;
    const settingsFor = (latest: Config): ServiceSettings => {
      const { url: databaseUrl, directUrl: databaseDirectUrl, ...secrets } = opened.accessWith(latest);
      return {
        config: latest,
        databaseUrl,
        databaseDirectUrl,
        ...secrets,
        adminWallets: [...config.adminWallets, ...(demo ? [demo.admin.walletAddress.toLowerCase()] : [])],
        isDemo: demo !== null,
        consoleToken,
      };
    };
    const serve = await loading;
    const service = await serve(settingsFor(config), log);
    const baseUrl = config.publicUrl ?? service.baseUrl;
    const consoleUrl = describeConsole(config, service.baseUrl, consoleToken);
    // With PORT=0 the port is known only after the service listens.
    if (demo && (demo.baseUrl !== baseUrl || demo.consoleUrl !== consoleUrl)) {
      await writeDemoFile(config.dataFolder, { ...demo, baseUrl, consoleUrl });
    }
    return {
      baseUrl: service.baseUrl,
      announcement: announce(config, opened, { baseUrl: service.baseUrl, consoleUrl, demo }),
      reloadSecrets: async (latest) => {
        if (!service.replaceWorkers) throw new StartError('Restart, or set WORKERS to 2 or more.');
        await service.replaceWorkers(settingsFor(latest));
      },
      close: () => service.close().finally(opened.close),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Makes sure that the database is for what it is started for, and loads the demo if there is to be one. */
async function prepareData(config: Config, opened: OpenDatabase): Promise<DemoFile | null> {
  const database = new Database({ url: opened.url, directUrl: opened.directUrl, poolSize: 1 });
  try {
    await verifyInstallation(database, config.sandbox);
    if (!config.demo) return null;
    return await seedDemo({
      database,
      folder: config.dataFolder,
      baseUrl: config.publicUrl ?? `http://${config.host}:${config.port}${versionPrefix}`,
      today: new Date(),
    });
  } catch (error) {
    throw explainStartFailure(opened.url, error);
  } finally {
    await database.close();
  }
}

/** Whoever opens a published console is not the person who reads the output of the start. */
function offersDemoWallets({ console, trustProxy, publicUrl }: Config): boolean {
  const isPublished = publicUrl !== null && !isLoopbackHost(new URL(publicUrl).hostname);
  return console && trustProxy.length === 0 && !isPublished;
}

const originOf = (baseUrl: string): string => baseUrl.slice(0, -versionPrefix.length);

/** The address of the console, with the token that opens the wallets of the demo. Null if it is not served. */
function describeConsole(config: Config, baseUrl: string, token: string | null): string | null {
  if (!config.console) return null;
  const url = `${originOf(baseUrl)}/console`;
  return token === null ? url : consoleLink(url, token);
}

function announce(
  config: Config,
  opened: OpenDatabase,
  started: { readonly baseUrl: string; readonly consoleUrl: string | null; readonly demo: DemoFile | null },
): string[] {
  const { baseUrl, consoleUrl, demo } = started;
  const lines = [`  Version    ${readServiceVersion()}`, `  Database   ${opened.description}`];
  if (consoleUrl !== null) lines.push(`  Console    ${consoleUrl}`);
  lines.push(`  Reference  ${originOf(baseUrl)}/docs`);
  if (demo) {
    const path = shortenPath(join(config.dataFolder, 'demo.json'));
    lines.push(`  Demo       ${demo.holders.length} holders and an administrator: their keys are in ${path}`);
  }
  if (config.sandbox) lines.push('  Sandbox    nothing is really checked or paid');
  const notice = findEndOfLifeNotice();
  if (notice) lines.push(`  Node.js    ${notice}`);
  return [...lines, `Keyfront is ready: ${baseUrl}`];
}

/** Returns the path relative to the working directory when it is inside it. */
function shortenPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
