import cluster from 'node:cluster';
import { loadEnvironment, readConfig } from './config.ts';
import { openLogOutput } from './http/log-output.ts';
import { createLogger } from './http/logging.ts';
import { start } from './process/start.ts';
import { runWorker } from './process/worker.ts';
import { StartError } from './start-error.ts';

/** Runs the service in the primary process, from reading the configuration to a clean shutdown. */
async function run(): Promise<void> {
  const config = readConfig(loadEnvironment(), { isTerminal: process.stdout.isTTY });
  const output = openLogOutput(config.logFormat);
  const logger = createLogger(config.logLevel, output);
  const print = (message: string) => {
    // Log lines are buffered. Those written before this message must not appear after it.
    output.flushSync();
    process.stdout.write(`${message}\n`);
  };

  const starting = new AbortController();
  let shutDown: (exitCode: number) => void = () => undefined;
  const shutdownRequested = new Promise<number>((resolve) => {
    shutDown = (exitCode) => {
      resolve(exitCode);
      starting.abort();
    };
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutDown(0));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Uncaught exception: shutting down');
    shutDown(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.fatal({ err: reason }, 'Unhandled promise rejection: shutting down');
    shutDown(1);
  });

  const service = await start(config, logger, print, starting.signal).catch(async (error) => {
    if (!starting.signal.aborted) throw error;
    print('Keyfront was stopped before it was ready');
    process.exit(await shutdownRequested);
  });
  print(service.announcement.join('\n'));

  const exitCode = await shutdownRequested;
  print('Keyfront is shutting down: waiting for running requests');
  await service.close();
  process.exit(exitCode);
}

if (cluster.isPrimary) {
  run().catch((error) => {
    process.stderr.write(error instanceof StartError ? `${error.message}\n` : `${error?.stack ?? error}\n`);
    process.exit(1);
  });
} else {
  runWorker();
}
