// Installs the built service into an empty folder, as a user gets it from the registry: packs the packages, and installs them
// without development dependencies. Every other package is the one that the lock names, so what is installed is what was tested.
// Two runs on the same sources give the same files. `sbom.cdx.json` lists all packages. The Dockerfile runs it, and so does a test.
//
//   node scripts/install-server.mjs <folder>

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { pruneLock } from './prune-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = ['embedded-postgres', 'server'];
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

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

const npm = (args, cwd) =>
  execFileSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const lock = readJson(join(root, 'package-lock.json'));
const { version } = readJson(join(root, 'packages/server/package.json'));
const tarballs = mkdtempSync(join(tmpdir(), 'keyfront-packages-'));
try {
  process.stdout.write(`Packing @keyfront/server ${version}\n`);
  const own = packages.map((name) => pack(join('packages', name)));
  process.stdout.write(`Installing it in ${folder}\n`);
  const manifest = { name: 'keyfront', version, private: true, type: 'module' };
  const files = own.map(({ name, resolved }) => [name, resolved]);
  writeJson(join(folder, 'package.json'), { ...manifest, dependencies: Object.fromEntries(files) });
  writeJson(join(folder, 'package-lock.json'), pruneLock(lock, own));
  // No package runs or fetches anything at its installation, as in a clone.
  npm(['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], folder);
  // The tarballs are gone soon, and must not stay behind as the versions of dependencies.
  rmSync(join(folder, 'package-lock.json'));
  rmSync(join(folder, 'node_modules/.package-lock.json'));
  writeJson(join(folder, 'package.json'), { ...manifest, dependencies: { '@keyfront/server': version } });
} finally {
  rmSync(tarballs, { recursive: true });
}
copyBuiltLibrary();
writeBillOfMaterials({ folder, lock, npm });

function pack(location) {
  const [{ name, filename, integrity }] = JSON.parse(
    npm(['pack', '--json', '--pack-destination', tarballs], join(root, location)),
  );
  return { name, location, resolved: `file:${join(tarballs, filename)}`, integrity };
}

/** The setup has compiled libsecp256k1 if its package has no binary for this platform. */
function copyBuiltLibrary() {
  const binary = 'node_modules/secp256k1/build/Release/addon.node';
  if (!existsSync(join(root, binary))) return;
  cpSync(join(root, binary), join(folder, binary), { recursive: true });
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, binary)))
    .digest('hex');
  process.stdout.write(`libsecp256k1 was compiled for this platform: sha256 ${hash}\n`);
}
