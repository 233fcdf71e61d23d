import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { openLogOutput } from '@keyfront/log-writer';
import { loadEnvironment, readConfig, reloadSecrets } from '../config/config.ts';
import { findMisspeltSettings } from '../config/misspelt-settings.ts';
import { findPlainConnections } from '../config/plain-connections.ts';
import { createLogger } from '../observability/logging.ts';
import { watchShutdownSignals } from './shutdown-signals.ts';
import { watchUnexpectedErrors } from './unexpected-errors.ts';

/** Runs the service in the primary process, from reading the configuration to a clean shutdown. */
export async function runService(): Promise<never> {
  const environment = loadEnvironment();
  const config = readConfig(environment, { isTerminal: isatty(1) });
  const output = openLogOutput(config.logFormat);
  const logger = createLogger(config.logLevel, output);
  for (const sentence of [...findMisspeltSettings(environment), ...findPlainConnections(config)])
    logger.warn(sentence);

  const starting = new AbortController();
  let shutDown: (exitCode: number) => void = () => undefined;
  const shutdownRequested = new Promise<number>((resolve) => {
    shutDown = (exitCode) => {
      resolve(exitCode);
      starting.abort();
    };
  });
  watchShutdownSignals(process, {
    onFirst: () => shutDown(0),
    onFurther: (signal) => {
      output.print(`Keyfront ends at once, because it received another ${signal}`);
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
      process.exit(1);
    },
  });
  watchUnexpectedErrors(process, logger, () => shutDown(1));

  // Loaded after the settings were read, so that a wrong one is reported at once.
  const { start } = await import('./start.ts');
  const service = await start(config, { logger, output }, output.print, starting.signal).catch(
    async (error) => {
      if (!starting.signal.aborted) throw error;
      output.print('Keyfront was stopped before it was ready');
      process.exit(await shutdownRequested);
    },
  );
  let reloading = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      await service.reloadSecrets(readConfig(reloadSecrets(environment)));
      logger.info('Reloaded the secrets');
    } catch (error) {
      logger.error({ err: error }, 'The secrets could not be reloaded: the former ones stay in use');
    }
  };
  // Asked now: a terminal that is closed sends the signal too, and is none any more.
  const hasTerminal = [0, 1, 2].some(isatty);
  process.on('SIGHUP', () => {
    if (hasTerminal) shutDown(0);
    else reloading = reloading.then(reload);
  });
  output.print(service.announcement.join('\n'));

  const exitCode = await shutdownRequested;
  output.print('Keyfront is shutting down: waiting for running requests');
  await service.close();
  process.exit(exitCode);
}
