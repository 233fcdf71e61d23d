// Builds the example storefront, unless its sources are the same as last time.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const storefront = join(root, 'examples', 'storefront');
const stamp = join(storefront, 'build', 'sources.txt');

/** Everything that the result depends on. The lock stands for the dependencies. */
const inputs = [
  join(root, 'package-lock.json'),
  ...['app', 'public', 'package.json', 'react-router.config.ts', 'vite.config.ts'].map((name) =>
    join(storefront, name),
  ),
];

const sources = hashInputs();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) build();

function build() {
  process.stderr.write('Building the storefront …\n');
  rmSync(join(storefront, 'build'), { recursive: true, force: true });
  const require = createRequire(join(storefront, 'package.json'));
  const command = join(dirname(require.resolve('@react-router/dev/package.json')), 'bin.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'build'], {
    cwd: storefront,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(
      `${stdout}${stderr}\nThe storefront could not be built: correct the errors above.\n`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, sources);
}

function hashInputs() {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap(listFiles)) hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
