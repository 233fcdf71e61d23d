// Installs the built service into an empty folder, as a user gets it from the registry: packs the packages, and installs them
// without development dependencies. The Dockerfile runs it, and so does a test.
//
//   node scripts/install-server.mjs <folder>

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = ['embedded-postgres', 'api-reference', 'server'];

const [argument] = process.argv.slice(2);
if (argument === undefined || argument.startsWith('-')) {
  process.stderr.write('Usage: node scripts/install-server.mjs <empty folder>\n');
  process.exit(argument === '--help' ? 0 : 2);
}
const folder = resolve(argument);
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) {
  process.stderr.write(`${folder} is not empty: name an empty folder, or one that does not exist.\n`);
  process.exit(1);
}

const npm = (args, cwd) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
const tarballs = mkdtempSync(join(tmpdir(), 'keyfront-packages-'));
try {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'));
  process.stdout.write(`Packing @keyfront/server ${version}\n`);
  for (const name of packages) npm(['pack', '--pack-destination', tarballs], join(root, 'packages', name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ private: true, type: 'module' })}\n`);
  process.stdout.write(`Installing it in ${folder}\n`);
  const files = readdirSync(tarballs).map((name) => join(tarballs, name));
  // A tarball in a temporary folder must not stay behind as the version of a dependency.
  npm(
    ['install', '--omit=dev', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', ...files],
    folder,
  );
} finally {
  rmSync(tarballs, { recursive: true });
}
