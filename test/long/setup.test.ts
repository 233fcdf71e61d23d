import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  copyReadyClone,
  createClone,
  installs,
  launch,
  leftovers,
  lockOwners,
  path,
  prepareClones,
  releaseInstalls,
  setup,
  until,
  write,
} from '../support/setup-clone.ts';

prepareClones();

describe('setup on a fresh clone', () => {
  beforeEach(createClone);

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

  it('builds, without an install, when a source changed', async () => {
    write('packages/two/src/index.ts', "export const name: string = 'changed';\n");

    expect((await setup()).output).toMatch(/^Building … \d+\.\d s\n$/);
    expect(readFileSync(path('packages/two/dist/index.js'), 'utf8')).toContain("'changed'");
    expect(installs()).toEqual([]);
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
