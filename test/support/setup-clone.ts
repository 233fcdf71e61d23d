import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

// Stands in for npm where the question is whether and how an install is run. Like `npm ci` it empties
// node_modules first. INSTALL_MODE: "fail" fails with npm's kind of message, "hold" goes on when it is released.
const NPM_STAND_IN = `
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeSync } from 'node:fs';
const { NPM_LOG, TYPESCRIPT, INSTALL_MODE } = process.env;
appendFileSync(NPM_LOG, JSON.stringify(process.argv.slice(2)) + '\\n');
mkdirSync('node_modules', { recursive: true });
for (const name of readdirSync('node_modules')) rmSync('node_modules/' + name, { recursive: true });
if (INSTALL_MODE === 'fail') {
  const usage = 'npm error usage\\n'.repeat(200);
  // In one piece, so that the exit cuts nothing off.
  writeSync(2, 'npm error code ECAUSE\\n' + usage + 'npm error A complete log of this run is elsewhere\\n');
  process.exit(1);
}
while (INSTALL_MODE === 'hold' && !existsSync(NPM_LOG + '.released')) await new Promise((resolve) => setTimeout(resolve, 10));
symlinkSync(TYPESCRIPT, 'node_modules/typescript', 'dir');
`;

let temporary: string;
let folder: string;
let clone: string;
let started: ChildProcess[] = [];
let tests = 0;

interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

export function path(...parts: string[]): string {
  return join(clone, ...parts);
}

export function write(file: string, text: string): void {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), text);
}

export function launch(options: { mode?: string; nodeArgs?: string[] } = {}): {
  child: ChildProcess;
  /** What it has said so far. */
  said: () => string;
  done: Promise<Outcome>;
} {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), path('scripts', 'setup.mjs')], {
    // Not the root of the clone: the script finds that by itself.
    cwd: folder,
    env: {
      ...process.env,
      npm_execpath: join(folder, 'npm-cli.mjs'),
      NPM_LOG: join(folder, 'npm.log'),
      TYPESCRIPT: realpathSync(join(REPOSITORY, 'node_modules', 'typescript')),
      ...(options.mode === undefined ? {} : { INSTALL_MODE: options.mode }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const done = new Promise<Outcome>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
  return { child, said: () => output, done };
}

export function setup(options: Parameters<typeof launch>[0] = {}): Promise<Outcome> {
  return launch(options).done;
}

export function installs(): string[][] {
  const log = join(folder, 'npm.log');
  if (!existsSync(log)) return [];
  return (
    readFileSync(log, 'utf8')
      .split('\n')
      // The last line may be in the writing.
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  );
}

/** Lets installs that hold go on. */
export function releaseInstalls(): void {
  writeFileSync(join(folder, 'npm.log.released'), '');
}

export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition was not met within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The process ids in the lock: the setup, then the program it runs. */
export function lockOwners(): number[] {
  const lock = path('.keyfront-setup.lock');
  return existsSync(lock) ? readFileSync(lock, 'utf8').split(' ').map(Number) : [];
}

export function leftovers(): string[] {
  return readdirSync(clone).filter((name) => name.startsWith('.keyfront-setup'));
}

/** A clone of two packages with the script as it is here, nothing installed and nothing built. */
export function createClone(): void {
  mkdirSync(path('scripts'), { recursive: true });
  cpSync(join(REPOSITORY, 'scripts', 'setup.mjs'), path('scripts', 'setup.mjs'));
  write('package.json', '{ "private": true, "type": "module", "workspaces": ["packages/*"] }');
  write('package-lock.json', '{ "lockfileVersion": 3 }');
  write(
    'tsconfig.base.json',
    JSON.stringify({
      compilerOptions: { composite: true, module: 'NodeNext', lib: ['ES5'], types: [], skipLibCheck: true },
    }),
  );
  write(
    'tsconfig.json',
    JSON.stringify({ files: [], references: [{ path: 'packages/one' }, { path: 'packages/two' }] }),
  );
  for (const name of ['one', 'two']) {
    write(`packages/${name}/package.json`, JSON.stringify({ name, type: 'module' }));
    write(
      `packages/${name}/tsconfig.json`,
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: { rootDir: 'src', outDir: 'dist' },
        include: ['src'],
        exclude: ['src/**/*.test.ts'],
      }),
    );
    write(`packages/${name}/src/index.ts`, `export const name: string = '${name}';\n`);
    write(`packages/${name}/src/parts/extra.ts`, 'export const extra = 1;\n');
  }
  // Whole seconds, so that the copies made of this clone have the same times to the last digit.
  for (const file of readdirSync(clone, { recursive: true, encoding: 'utf8' }))
    utimesSync(path(file), 1e9, 1e9);
}

/** A copy of a clone in which everything is installed and built. */
export function copyReadyClone(): void {
  cpSync(join(temporary, 'ready', 'a clone'), clone, { recursive: true, preserveTimestamps: true });
}

function useFolder(name: string): void {
  folder = join(temporary, name);
  clone = join(folder, 'a clone');
  mkdirSync(folder);
  writeFileSync(join(folder, 'npm-cli.mjs'), NPM_STAND_IN);
}

/** Gives each test of the file a folder of its own for a clone. */
export function prepareClones(): void {
  beforeAll(async () => {
    temporary = mkdtempSync(join(realpathSync(tmpdir()), 'keyfront setup '));
    useFolder('ready');
    createClone();
    const result = await setup();
    if (result.code !== 0) throw new Error(result.output);
  });

  afterAll(() => rmSync(temporary, { recursive: true, force: true }));

  beforeEach(() => {
    tests += 1;
    useFolder(`test ${tests}`);
  });

  afterEach(() => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    started = [];
  });
}
