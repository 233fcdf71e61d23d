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
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const REPOSITORY = dirname(dirname(fileURLToPath(import.meta.url)));

// Stands in for npm where the question is whether and how an install is run. Like `npm ci` it empties
// node_modules first. INSTALL_MODE: "fail" fails with npm's kind of message, "hold" goes on when it is released.
const NPM_STAND_IN = `
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
const { NPM_LOG, TYPESCRIPT, INSTALL_MODE } = process.env;
appendFileSync(NPM_LOG, JSON.stringify(process.argv.slice(2)) + '\\n');
mkdirSync('node_modules', { recursive: true });
for (const name of readdirSync('node_modules')) rmSync('node_modules/' + name, { recursive: true });
if (INSTALL_MODE === 'fail') {
  console.error('npm error code ECAUSE');
  for (let line = 0; line < 200; line += 1) console.error('npm error usage');
  console.error('npm error A complete log of this run is elsewhere');
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

function path(...parts: string[]): string {
  return join(clone, ...parts);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), text);
}

function launch(options: { mode?: string; nodeArgs?: string[] } = {}): {
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

function setup(options: Parameters<typeof launch>[0] = {}): Promise<Outcome> {
  return launch(options).done;
}

function installs(): string[][] {
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
function releaseInstalls(): void {
  writeFileSync(join(folder, 'npm.log.released'), '');
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition was not met within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The process ids in the lock: the setup, then the program it runs. */
function lockOwners(): number[] {
  const lock = path('.keyfront-setup.lock');
  return existsSync(lock) ? readFileSync(lock, 'utf8').split(' ').map(Number) : [];
}

function leftovers(): string[] {
  return readdirSync(clone).filter((name) => name.startsWith('.keyfront-setup'));
}

/** A clone of two packages with the script as it is here, nothing installed and nothing built. */
function createClone(): void {
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
function copyReadyClone(): void {
  cpSync(join(temporary, 'ready', 'a clone'), clone, { recursive: true, preserveTimestamps: true });
}

function useFolder(name: string): void {
  folder = join(temporary, name);
  clone = join(folder, 'a clone');
  mkdirSync(folder);
  writeFileSync(join(folder, 'npm-cli.mjs'), NPM_STAND_IN);
}

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

describe('setup on a fresh clone', () => {
  beforeEach(createClone);

  it('installs once from the lock without install scripts, builds every package and prints both steps', async () => {
    const result = await setup();

    expect(result).toMatchObject({ code: 0 });
    expect(result.output).toMatch(
      /^Installing dependencies \(once, from the lock\) … \d+\.\d s\nBuilding … \d+\.\d s\n$/,
    );
    expect(installs()).toHaveLength(1);
    expect(installs()[0]?.[0]).toBe('ci');
    expect(installs()[0]).toEqual(
      expect.arrayContaining([
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--prefer-offline',
        '--include=dev',
      ]),
    );
    expect(readFileSync(path('packages/one/dist/index.js'), 'utf8')).toContain("name = 'one'");
    expect(existsSync(path('packages/two/dist/parts/extra.js'))).toBe(true);
    expect(leftovers()).toEqual([]);
  });

  it('does nothing and prints nothing the second time', async () => {
    await setup();
    const built = statSync(path('packages/one/dist/index.js')).mtimeMs;

    expect(await setup()).toMatchObject({ code: 0, output: '' });
    expect(installs()).toHaveLength(1);
    expect(statSync(path('packages/one/dist/index.js')).mtimeMs).toBe(built);
  });

  it('lets a second process wait for the first instead of doing the work twice', async () => {
    const first = launch({ mode: 'hold' });
    await until(() => installs().length === 1);
    const second = launch();
    await until(() => second.said().includes('Waiting'));
    releaseInstalls();

    expect(await first.done).toMatchObject({ code: 0 });
    expect(await second.done).toEqual({
      code: 0,
      signal: null,
      output: 'Waiting for another setup of this clone to finish …\n',
    });
    expect(installs()).toHaveLength(1);
  });
});

describe('setup after a change', () => {
  beforeEach(copyReadyClone);

  it.each([
    ['package-lock.json', '{ "lockfileVersion": 3, "packages": {} }'],
    ['packages/two/package.json', '{ "name": "two", "type": "module", "version": "1.0.0" }'],
    ['.npmrc', 'engine-strict=true'],
  ])('installs again when %s changed', async (file, text) => {
    write(file, text);

    // The decision is all that matters here, so the install may as well fail at once.
    expect(await setup({ mode: 'fail' })).toMatchObject({ code: 1 });
    expect(installs()).toHaveLength(1);
  });

  it('installs again when node_modules was deleted', async () => {
    rmSync(path('node_modules'), { recursive: true });

    expect(await setup()).toMatchObject({ code: 0 });
    expect(installs()).toHaveLength(1);
  });

  it('builds, without an install, when a source changed', async () => {
    write('packages/two/src/index.ts', "export const name: string = 'changed';\n");

    expect((await setup()).output).toMatch(/^Building … \d+\.\d s\n$/);
    expect(readFileSync(path('packages/two/dist/index.js'), 'utf8')).toContain("'changed'");
    expect(installs()).toEqual([]);
  });

  it('builds when a source was replaced by an older file', async () => {
    write('packages/two/src/index.ts', "export const name: string = 'older';\n");
    utimesSync(path('packages/two/src/index.ts'), 1_000_000_000, 1_000_000_000);

    await setup();
    expect(readFileSync(path('packages/two/dist/index.js'), 'utf8')).toContain("'older'");
  });

  it('removes the output of a deleted source', async () => {
    rmSync(path('packages/one/src/parts/extra.ts'));

    expect((await setup()).output).toMatch(/^Building/);
    expect(existsSync(path('packages/one/dist/index.js'))).toBe(true);
    expect(existsSync(path('packages/one/dist/parts'))).toBe(false);
  });

  it('builds when the output of one package was deleted', async () => {
    rmSync(path('packages/one/dist'), { recursive: true });

    expect((await setup()).output).toMatch(/^Building/);
    expect(existsSync(path('packages/one/dist/index.js'))).toBe(true);
  });

  it('does not build for a test file', async () => {
    write('packages/one/src/index.test.ts', 'this is not read by the build\n');

    expect(await setup()).toMatchObject({ code: 0, output: '' });
  });
});

describe('setup that cannot finish', () => {
  it('shows the compiler’s errors, fails, and tries again the next time', async () => {
    copyReadyClone();
    const source = readFileSync(path('packages/one/src/index.ts'));
    write('packages/one/src/index.ts', "export const name: number = 'one';\n");

    const attempt = await setup();
    expect(attempt.code).toBe(1);
    expect(attempt.output).toContain('error TS2322');
    expect(attempt.output).toMatch(/The build failed: .*\.\n$/);
    expect(await setup()).toMatchObject({ code: 1 });

    // The file as it was at the last good build, time included, must not pass for an up-to-date build.
    writeFileSync(path('packages/one/src/index.ts'), source);
    utimesSync(path('packages/one/src/index.ts'), 1e9, 1e9);
    expect(await setup()).toMatchObject({ code: 0 });
    expect(readFileSync(path('packages/one/dist/index.js'), 'utf8')).toContain("name = 'one'");
  });

  it('prints the first and last lines of a failed install with advice, and repairs it the next time', async () => {
    createClone();
    const result = await setup({ mode: 'fail' });

    expect(result.code).toBe(1);
    expect(result.output).toContain('npm error code ECAUSE');
    expect(result.output).toMatch(
      /A complete log of this run is elsewhere\nThe dependencies could not be installed: .*\.\n$/,
    );
    expect(result.output.split('\n').length).toBeLessThan(50);
    expect(leftovers()).toEqual([]);
    expect(await setup()).toMatchObject({ code: 0 });
    expect(installs()).toHaveLength(2);
  });

  it('stops its install on SIGTERM, and starts over the next time', async () => {
    createClone();
    const { child, done } = launch({ mode: 'hold' });
    await until(() => installs().length === 1 && lockOwners().length === 2);
    const [, install = 0] = lockOwners();
    child.kill('SIGTERM');

    expect(await done).toMatchObject({ code: 143 });
    expect(() => process.kill(install, 0)).toThrow('ESRCH');
    expect(leftovers()).toEqual([]);
    expect(await setup()).toMatchObject({ code: 0 });
    expect(installs()).toHaveLength(2);
  });

  it('waits for the install of a killed setup, and then starts over', async () => {
    createClone();
    const { child } = launch({ mode: 'hold' });
    await until(() => installs().length === 1 && lockOwners().length === 2);
    child.kill('SIGKILL');
    const next = launch();
    await until(() => next.said().includes('Waiting'));
    releaseInstalls();
    const result = await next.done;

    expect(result.code).toBe(0);
    expect(result.output).toMatch(/^Waiting .*\nInstalling .*\nBuilding .*\n$/);
    expect(installs()).toHaveLength(2);
    expect(leftovers()).toEqual([]);
    expect((await setup()).output).toBe('');
  });

  it('takes over the lock of a process that no longer exists, in exactly one process', async () => {
    createClone();
    const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => dead.on('close', resolve));
    write('.keyfront-setup.lock', String(dead.pid));

    const results = await Promise.all([setup(), setup(), setup()]);
    expect(results.map((result) => result.code)).toEqual([0, 0, 0]);
    expect(installs()).toHaveLength(1);
    expect(leftovers()).toEqual([]);
  });

  it('rejects a Node version that is too old, in one sentence', async () => {
    createClone();
    const oldNode = `data:text/javascript,${encodeURIComponent(
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });",
    )}`;

    expect(await setup({ nodeArgs: ['--import', oldNode] })).toMatchObject({
      code: 1,
      output: 'Keyfront needs Node 20.19 or newer; this is Node 20.18.3.\n',
    });
    expect(installs()).toEqual([]);
  });
});
