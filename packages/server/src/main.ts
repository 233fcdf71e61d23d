import cluster from 'node:cluster';
import { runCommand, UsageError } from './boot/command-line.ts';
import { StartError } from './lib/errors/start-error.ts';

if (cluster.isPrimary) {
  runCommand(process.argv.slice(2)).catch((error) => {
    const isExpected = error instanceof StartError || error instanceof UsageError;
    process.stderr.write(isExpected ? `${error.message}\n` : `${error?.stack ?? error}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  });
} else {
  const { runWorker } = await import('./boot/worker.ts');
  runWorker();
}
