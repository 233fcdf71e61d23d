import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = new URL('../../packages/', import.meta.url);

/** Fails the run if the bundle of the service, which tests start, is older than the modules that it consists of. */
export function requireBundle(): void {
  const builtAt = readTime('server/dist/bundle/main.js');
  const isCurrent = [
    'server',
    'protocol',
    'demo',
    'signatures',
    'embedded-postgres',
    'openapi',
    'order-archive',
    'order-pages',
    'file-store',
    'validation',
    'rate-limiter',
    'bounded-map',
    'backup-archive',
    'body-memory',
    'mcp',
    'postman',
  ].every((name) => readTime(`${name}/dist/.tsbuildinfo`) <= builtAt);
  if (!isCurrent) throw new Error('The bundle of the service is missing or old. Run `npm run build`.');
}

function readTime(path: string): number {
  return statSync(fileURLToPath(new URL(path, packages)), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
