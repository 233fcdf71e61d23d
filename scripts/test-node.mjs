// Runs the tests on another version of Node: `npm run test:node -- 24`, followed by arguments for Vitest if you like.
//
// npm has the runtime itself as a package for Linux. It is installed beside the dependencies, in `.cache`, and comes
// first on the path, so that every process which a test starts runs on it too.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PLATFORMS = ['linux-x64', 'linux-arm64'];

const [major = '', ...vitestArgs] = process.argv.slice(2);
if (!/^\d+$/.test(major)) fail('Name the major version of Node to test on, as in: npm run test:node -- 24');
const platform = `${process.platform}-${process.arch}`;
if (!PLATFORMS.includes(platform)) {
  fail(
    `npm has Node as a package for Linux only (x64 and arm64), and this is ${platform}. Install Node ${major} ` +
      'with your version manager and run `npm test` on it.',
  );
}

const folder = join(ROOT, '.cache', `node-${major}`);
const bin = join(folder, 'node_modules', `node-${platform}`, 'bin');
const node = join(bin, 'node');
if (!existsSync(node)) install();
const version = readVersion();
process.stderr.write(`Testing on Node ${version}\n`);
const { status } = npm(['test', '--', ...vitestArgs], {
  node,
  cwd: ROOT,
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
});
process.exit(status ?? 1);

function install() {
  mkdirSync(folder, { recursive: true });
  // A package of its own, so that npm does not look for one in the folders above.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const { status } = npm(['install', ...options, `node-${platform}@${major}`], {
    node: process.execPath,
    cwd: folder,
    env: process.env,
  });
  if (status !== 0) fail(`Node ${major} could not be installed: check the message above and the network.`);
}

function readVersion() {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status !== 0) fail(`${node} does not run: remove ${folder} and try again.`);
  return stdout.trim().slice(1);
}

/** npm as it called this script, run by the given Node; the one on the path when something else called it. */
function npm(args, { node: runtime, cwd, env }) {
  const path = process.env.npm_execpath;
  const [command, ...first] = path && /npm-cli\.[cm]?js$/.test(path) ? [runtime, path] : ['npm'];
  return spawnSync(command, [...first, ...args], { cwd, env, stdio: 'inherit' });
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
