// Builds libsecp256k1 where its package brings no binary for this platform. Nothing is fetched: it takes the
// headers that came with Node, npm's own node-gyp and the compiler that is there. It never fails a setup,
// because node:crypto verifies the same signatures, only slower.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_PREFIX = dirname(dirname(realpathSync(process.execPath)));
const CONSEQUENCE = 'signatures are verified by node:crypto, which is slower';
const require = createRequire(join(ROOT, 'packages', 'server', 'package.json'));

if (!isLoadable()) await main();

async function main() {
  const folder = packageFolder();
  if (!folder) return say(`The package secp256k1 is not installed: ${CONSEQUENCE}.`);
  const gyp = nodeGyp();
  const missing = missingTool(gyp);
  if (missing) {
    return say(
      `libsecp256k1 has no binary for this platform and cannot be built (no ${missing}): ${CONSEQUENCE}.`,
    );
  }
  const started = performance.now();
  process.stderr.write('Building libsecp256k1 for this platform (once) …');
  const built = await run(folder, [gyp, 'rebuild', `--nodedir=${NODE_PREFIX}`]);
  if (built && isLoadable()) return say(` ${((performance.now() - started) / 1000).toFixed(1)} s`);
  // A half-made binary must not be taken for a whole one later.
  rmSync(join(folder, 'build'), { recursive: true, force: true });
  say(`\nlibsecp256k1 could not be built: ${CONSEQUENCE}.`);
}

function isLoadable() {
  try {
    // Not the package's main file: that one falls back to another library without a word.
    require('secp256k1/bindings');
    return true;
  } catch {
    return false;
  }
}

function packageFolder() {
  try {
    return dirname(require.resolve('secp256k1/package.json'));
  } catch {
    return undefined;
  }
}

/** The node-gyp that every npm brings along: of the npm that runs this, else of the one installed with Node. */
function nodeGyp() {
  const npmFolders = [
    process.env.npm_execpath && dirname(dirname(process.env.npm_execpath)),
    join(NODE_PREFIX, 'lib', 'node_modules', 'npm'),
    join(NODE_PREFIX, 'share', 'nodejs', 'npm'),
    join(dirname(process.execPath), 'node_modules', 'npm'),
  ];
  return npmFolders
    .filter(Boolean)
    .map((folder) => join(folder, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js'))
    .find((path) => existsSync(path));
}

function missingTool(gyp) {
  if (!existsSync(join(NODE_PREFIX, 'include', 'node', 'node.h'))) return 'headers of Node';
  if (!gyp) return 'node-gyp';
  if (!runs('make')) return 'make';
  if (!runs(process.env.PYTHON ?? 'python3')) return 'python3';
  if (process.env.CXX ? !runs(...process.env.CXX.split(' ')) : !runs('c++') && !runs('g++'))
    return 'C++ compiler';
  return undefined;
}

function runs(command, ...args) {
  return spawnSync(command, [...args, '--version'], { stdio: 'ignore' }).status === 0;
}

function run(folder, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      // The build asks `node` for its paths, and that must be this Node.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` },
      stdio: 'ignore',
      // A group of its own, so that the compilers stop together with node-gyp.
      detached: true,
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(child, signal));
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

function stop(child, signal) {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
  process.stderr.write('\n');
  process.exit(128 + constants.signals[signal]);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
