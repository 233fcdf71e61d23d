// Makes a clone ready to run. `npm start` and `npm test` call it first, so that each of them is the only
// command anyone needs: it installs from the lock when node_modules is out of date, builds when a source
// changed, and is silent and quick when there is nothing to do.
//
// What was done is written to a stamp in node_modules. The stamp is withdrawn before a step begins and
// written after it succeeded, so a run that was interrupted anywhere is repaired by the next one.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMP = join(ROOT, 'node_modules', '.keyfront-setup.json');
// Beside node_modules, not in it: `npm ci` empties node_modules while the lock is held.
const LOCK = join(ROOT, '.keyfront-setup.lock');
const NATIVE_BUILD = join(ROOT, 'scripts', 'build-secp256k1.mjs');
// Writes sources of the SDK from the built protocol, so it runs before everything else is compiled.
const SDK_GENERATOR = join(ROOT, 'packages', 'sdk-generator');
// Bundles the compiled service, so it runs after everything else.
const BUNDLER = join(ROOT, 'packages', 'server', 'scripts', 'bundle.mjs');
// Renders the documentation, from what was compiled and from Markdown.
const DOCS_BUILDER = join(ROOT, 'packages', 'server', 'scripts', 'build-docs.mjs');
// Bundles the console, from its own sources and those of the SDK.
const CONSOLE_BUILDER = join(ROOT, 'packages', 'console', 'scripts', 'build.mjs');
// Built by `npm run storefront`, which is the only one that needs it.
const STOREFRONT = join('examples', 'storefront');
const POLL_MS = 100;
const HEARTBEAT_MS = 1_000;
// Long enough for an install whose parent was killed to come to its end.
const SILENT_LOCK_MS = 60_000;
const SHOWN_LINES = 20;

/** The program this process waits for, and the signal that asked this process to stop. */
let child;
let stoppedBy;

requireNode();
main().catch((error) => fail(`The setup could not finish: ${error.message}.`));

async function main() {
  if (isFresh()) return;
  await acquireLock();
  // Another process may have done the work while this one waited.
  if (isInstallStale()) await install();
  if (isBuildStale()) await build();
  else if (isDocsStale()) await buildDocs();
  process.exit(0);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(`Keyfront needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${process.versions.node}.`);
}

function isFresh() {
  return !isInstallStale() && !isBuildStale() && !isDocsStale();
}

function isInstallStale() {
  return readStamp().install !== installFingerprint();
}

function isBuildStale() {
  return readStamp().build !== buildFingerprint() || outputFolders().some((folder) => !existsSync(folder));
}

function isDocsStale() {
  return existsSync(DOCS_BUILDER) && readStamp().docs !== docsFingerprint();
}

async function install() {
  const fingerprint = installFingerprint();
  writeStamp({});
  const [command, ...args] = npmCommand();
  const result = await step('Installing dependencies (once, from the lock) …', command, [
    ...args,
    'ci',
    // On purpose: what is installed is what the lock names, and no package fetches or runs anything else.
    '--ignore-scripts',
    // The build needs the development and the platform packages, also where NODE_ENV is "production".
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    // A caller's `npm test --silent` must not hide why an install failed.
    '--loglevel=error',
  ]);
  if (!result.ok) {
    fail(
      ends(result.output),
      'The dependencies could not be installed: check the message above and the network, then run it again.',
    );
  }
  if (existsSync(NATIVE_BUILD)) await run(process.execPath, [NATIVE_BUILD], 'inherit');
  writeStamp({ install: fingerprint });
}

async function build() {
  const installed = readStamp().install;
  // Taken before the compiler reads the sources: a file saved during the build is built by the next run.
  const fingerprint = buildFingerprint();
  const docs = docsFingerprint();
  writeStamp({ install: installed });
  // From nothing, because the compiler neither removes the output of a deleted source nor notices a source
  // that was replaced by an older file.
  for (const folder of outputFolders()) rmSync(folder, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const compile = [compiler, '--build', '--force', ...(process.stderr.isTTY ? ['--pretty'] : [])];
  const generate = [[...compile, SDK_GENERATOR], [join(SDK_GENERATOR, 'dist', 'main.js')]];
  const runs = existsSync(SDK_GENERATOR) ? [...generate, compile] : [compile];
  for (const bundler of [BUNDLER, DOCS_BUILDER, CONSOLE_BUILDER])
    if (existsSync(bundler)) runs.push([bundler]);
  const result = await step('Building …', process.execPath, ...runs);
  if (!result.ok) {
    fail(result.output, 'The build failed: correct the errors above, then run it again.');
  }
  writeStamp({ install: installed, build: fingerprint, docs });
}

/** After a change of the documentation alone. */
async function buildDocs() {
  const { install: installed, build: built } = readStamp();
  const docs = docsFingerprint();
  writeStamp({ install: installed, build: built });
  const result = await step('Rendering the documentation …', process.execPath, [DOCS_BUILDER]);
  if (!result.ok) fail(result.output, 'The documentation could not be rendered: correct the errors above.');
  writeStamp({ install: installed, build: built, docs });
}

/** npm as it called this script, or the one on the path when something else did. */
function npmCommand() {
  const path = process.env.npm_execpath;
  // Other package managers set npm_execpath to themselves, and none of them has this `ci`.
  return path && /^npm-cli\.[cm]?js$/.test(basename(path)) ? [process.execPath, path] : ['npm'];
}

function installFingerprint() {
  const hash = createHash('sha256');
  hash.update(`${process.platform} ${process.arch} ${process.versions.node.split('.')[0]}\n`);
  const manifests = [...packageFolders(), STOREFRONT].map((folder) => join(folder, 'package.json'));
  for (const file of ['package-lock.json', 'package.json', '.npmrc', ...manifests]) {
    const path = join(ROOT, file);
    hash.update(`${file}\n`);
    if (existsSync(path)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** What the documentation is made of beside the sources: Markdown, images and style sheets. */
function docsFingerprint() {
  const perPackage = ['README.md', 'CHANGELOG.md'];
  return statFiles(createHash('sha256'), [
    ...[relative(ROOT, DOCS_BUILDER), 'CHANGELOG.md', join('docs', 'glossary.md')],
    ...[...sourceFiles(join('docs', 'guides')), ...sourceFiles(join('docs', 'operating'))],
    ...sourceFiles(join('packages', 'api-reference', 'assets')),
    ...packageFolders().flatMap((folder) => perPackage.map((name) => join(folder, name))),
  ]);
}

function buildFingerprint() {
  const hash = createHash('sha256').update(installFingerprint());
  const consoleFiles = ['index.html', 'vite.config.ts', 'public/icon.svg', 'scripts/build.mjs'];
  const files = [
    ...['tsconfig.json', 'tsconfig.base.json', relative(ROOT, BUNDLER)],
    ...consoleFiles.map((name) => join('packages', 'console', name)),
  ];
  for (const folder of packageFolders()) {
    files.push(join(folder, 'tsconfig.json'), ...sourceFiles(join(folder, 'src')));
  }
  return statFiles(hash, files);
}

function statFiles(hash, files) {
  for (const file of files) {
    const stats = statSync(join(ROOT, file), { throwIfNoEntry: false });
    hash.update(`${file} ${stats?.size} ${stats?.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Folders such as `packages/server`, relative to the root and in a stable order. */
function packageFolders() {
  return [
    'bench',
    'faults',
    'fuzz',
    ...readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name)),
  ]
    .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
    .sort();
}

function sourceFiles(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  const files = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Generated sources are output of the build.
    if (entry.isDirectory()) files.push(...(entry.name === 'generated' ? [] : sourceFiles(path)));
    else if (!entry.name.endsWith('.test.ts')) files.push(path);
  }
  return files.sort();
}

function outputFolders() {
  const built = packageFolders().filter((folder) => existsSync(join(ROOT, folder, 'tsconfig.json')));
  return [
    ...built.map((folder) => join(ROOT, folder, 'dist')),
    ...(existsSync(SDK_GENERATOR) ? [join(ROOT, 'packages', 'sdk', 'src', 'generated')] : []),
  ];
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function writeStamp(stamp) {
  mkdirSync(dirname(STAMP), { recursive: true });
  replaceFile(STAMP, `${JSON.stringify(stamp)}\n`);
}

/** Runs a program in the root, once for each list of arguments, showing the label and then the time it took. */
async function step(label, command, ...runs) {
  const started = performance.now();
  process.stderr.write(label);
  let result = { ok: true, output: '' };
  for (const args of runs) if (result.ok) result = await run(command, args);
  process.stderr.write(result.ok ? ` ${((performance.now() - started) / 1000).toFixed(1)} s\n` : '\n');
  return result;
}

function run(command, args, stderr = 'pipe') {
  return new Promise((resolve) => {
    const chunks = [];
    child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', stderr] });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    // "close", not "exit": only then has every process that shares the output ended.
    child.on('close', (code) => {
      if (stoppedBy) exitStopped();
      child = undefined;
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() });
    });
    writeLock();
  });
}

/**
 * Waits until no other process sets up this clone, then keeps others out until this process ends. The lock
 * names its owner and the program the owner runs, so that a lock left by a killed process is recognised.
 */
async function acquireLock() {
  let announced = false;
  let seen;
  let silentMs = 0;
  while (!(await tryLock(silentMs >= SILENT_LOCK_MS))) {
    if (!announced) process.stderr.write('Waiting for another setup of this clone to finish …\n');
    announced = true;
    await sleep(POLL_MS);
    // Counted in polls, not read from a clock: a machine that slept is no sign that the owner is gone.
    const heartbeat = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
    silentMs = heartbeat === seen ? silentMs + POLL_MS : 0;
    seen = heartbeat;
  }
  process.on('exit', () => ownsLock() && rmSync(LOCK, { force: true }));
  setInterval(() => ownsLock() && utimesSync(LOCK, new Date(), new Date()), HEARTBEAT_MS).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
}

async function tryLock(ownerIsSilent) {
  try {
    writeFileSync(LOCK, lockText(), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const owners = lockOwners();
  // No owner: it was given up just now, or it is being written.
  const isHeld = owners.length === 0 || owners.some(isAlive);
  if (isHeld && !ownerIsSilent) return false;
  writeLock();
  // Of several processes that replace a dead owner at once the last one wins, and the others see that here.
  await sleep(POLL_MS);
  return ownsLock();
}

function lockText() {
  return [process.pid, child?.pid].filter(Boolean).join(' ');
}

function writeLock() {
  replaceFile(LOCK, lockText());
}

/** The process ids that the lock names. */
function lockOwners() {
  try {
    return readFileSync(LOCK, 'utf8').split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

function ownsLock() {
  return lockOwners()[0] === process.pid;
}

function isAlive(pid) {
  // A lock that names this process was left by an earlier one that had the same number.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** Ended, but not yet collected: in a container that may never happen. */
function isZombie(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function stop(signal) {
  stoppedBy = signal;
  if (child) child.kill('SIGTERM');
  else exitStopped();
}

function exitStopped() {
  process.stderr.write('\n');
  process.exit(128 + constants.signals[stoppedBy]);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Other processes see the old file or the new one, never a part of it. */
function replaceFile(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** The first and the last lines: npm names the cause first and its log last, with a page of usage between. */
function ends(output) {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= 2 * SHOWN_LINES) return lines.join('\n');
  return [...lines.slice(0, SHOWN_LINES), '…', ...lines.slice(-SHOWN_LINES)].join('\n');
}

function fail(...lines) {
  for (const line of lines) process.stderr.write(`${line.trimEnd()}\n`);
  process.exit(1);
}
