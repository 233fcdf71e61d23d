import cluster from 'node:cluster';
import { loadEnvironment, readConfig } from './config.ts';
import { createLogger } from './http/logging.ts';
import { start } from './process/start.ts';
import { runWorker } from './process/worker.ts';
import { StartError } from './start-error.ts';

/** The process from its first line to its last: configuration, start, announcement, a signal, a clean end. */
async function run(): Promise<void> {
  const config = readConfig(loadEnvironment());
  const logger = createLogger(config.logLevel);

  // A signal that comes while the service is still starting counts as soon as it has started.
  let requestEnd: (exitCode: number) => void = () => undefined;
  const ending = new Promise<number>((resolve) => {
    requestEnd = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => requestEnd(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      logger.fatal({ err: error }, 'The process is in a state that nobody foresaw and ends');
      requestEnd(1);
    });
  }

  const service = await start(config, logger, {
    progress: (sentence) => process.stdout.write(`${sentence}\n`),
    alarm: (sentence) => logger.error(sentence),
  });
  process.stdout.write(`${service.announcement.join('\n')}\n`);

  const exitCode = await ending;
  process.stdout.write('Keyfront is ending: running requests finish first\n');
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
