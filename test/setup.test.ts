import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  copyReadyClone,
  createClone,
  installs,
  leftovers,
  path,
  prepareClones,
  setup,
  write,
} from './support/setup-clone.ts';

prepareClones();

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
});

describe('setup after a change', () => {
  beforeEach(copyReadyClone);

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
