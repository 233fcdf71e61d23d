import cluster from 'node:cluster';
import { runService } from './process/run-service.ts';
import { runWorker } from './process/worker.ts';
import { StartError } from './start-error.ts';

if (cluster.isPrimary) {
  runService().catch((error) => {
    process.stderr.write(error instanceof StartError ? `${error.message}\n` : `${error?.stack ?? error}\n`);
    process.exit(1);
  });
} else {
  runWorker();
}
