// Builds the console ahead, so that the service only sends files: bundles it, compresses each file, and writes
// `dist/files.json`, the list of what the service may send. A build of the same sources is taken from a cache.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { writeBundledPackages } from '../../../scripts/bundled-packages.mjs';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(packageFolder, '..', '..');
const output = join(packageFolder, 'dist');
const cache = join(root, 'node_modules', '.cache', 'keyfront', 'console');

/** Everything that the result depends on. The lock stands for the dependencies. */
const inputs = [
  join(root, 'package-lock.json'),
  join(root, 'scripts', 'bundled-packages.mjs'),
  join(root, 'packages', 'sdk', 'package.json'),
  join(root, 'packages', 'sdk', 'src'),
  join(root, 'packages', 'contracts', 'src', 'abis.ts'),
  ...['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts', 'public', 'scripts', 'src'].map(
    (name) => join(packageFolder, name),
  ),
];

const contentTypes = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const cached = join(cache, hashInputs());
if (!existsSync(cached)) {
  const { output: chunks } = await bundle();
  await describeFiles();
  writeBundledPackages(output, chunks);
  keep();
} else {
  rmSync(output, { recursive: true, force: true });
  cpSync(cached, output, { recursive: true });
}

async function bundle() {
  const { build } = await import('vite');
  return build({ root: packageFolder, logLevel: 'warn', build: { outDir: output, emptyOutDir: true } });
}

/** Compresses the files, and lists them with what their responses need. */
async function describeFiles() {
  const paths = listFiles(output).map((path) => relative(output, path));
  const entries = await Promise.all(
    paths.map(async (path) => {
      const content = readFileSync(join(output, path));
      const contentType = contentTypes[path.split('.').at(-1)];
      if (!contentType) throw new Error(`The console has no content type for ${path}`);
      const encodings = [];
      // The page is completed for each response, so it is compressed then, if at all.
      if (path !== 'index.html') {
        for (const [extension, bytes] of [
          ['br', await compressBrotli(content)],
          ['gz', await compressGzip(content)],
        ]) {
          if (bytes.length >= content.length) continue;
          writeFileSync(join(output, `${path}.${extension}`), bytes);
          encodings.push(extension);
        }
      }
      const hash = createHash('sha256').update(content).digest('base64url').slice(0, 27);
      return { path, contentType, hash, encodings, isVersioned: path.startsWith('assets/') };
    }),
  );
  writeFileSync(join(output, 'files.json'), `${JSON.stringify(entries, null, 2)}\n`);
}

/** Only the newest build stays. */
function keep() {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  // Renamed in one step: a copy that was interrupted must not look like a build.
  const draft = `${cached}.${process.pid}`;
  cpSync(output, draft, { recursive: true });
  renameSync(draft, cached);
}

function hashInputs() {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap(listFiles)) {
    if (path.endsWith('.test.ts')) continue;
    hash.update(`${relative(root, path)}\n`).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 32);
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  const entries = readdirSyncOrFile(path);
  return entries === null ? [path] : entries.sort().flatMap((name) => listFiles(join(path, name)));
}

function readdirSyncOrFile(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function compressBrotli(content) {
  // The highest quality takes many times as long for another twentieth.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  return promisify(brotliCompress)(content, { params });
}

function compressGzip(content) {
  return promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION });
}
