import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needs, requireProgramsOfNpm } from './support/requirements.ts';

const runFile = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

describe('a test that needs a program', () => {
  it('runs where the machine has it', () => {
    expect(needs()).toEqual({});
  });

  it('is listed at the end of the run where the machine lacks it, and so is one without a reason', {
    tags: ['long'],
  }, async () => {
    const folder = mkdtempSync(join(root, 'node_modules', '.keyfront-reporter-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const reporter = join(root, 'test/support/closing-line-reporter.ts');
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `import { ClosingLineReporter } from '${reporter}';
       export default { test: { include: ['a.test.ts'], reporters: [new ClosingLineReporter()], tags: [{ name: 'long' }] } };`,
    );
    writeFileSync(
      join(folder, 'a.test.ts'),
      `import { describe, it } from 'vitest';
       const missing = { skip: true, meta: { missing: { name: 'Redis', advice: 'install it' } } };
       it('passes', () => {});
       it('takes long', { tags: ['long'] }, () => { throw new Error('It ran'); });
       it('lacks', missing, () => {});
       describe('lack', missing, () => {
         it('one', () => {});
         it('another', () => {});
       });
       it.skip('is skipped', () => {});`,
    );
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const env = { PATH: process.env.PATH, HOME: tmpdir() };
    const { stdout } = await runFile(
      process.execPath,
      [vitest, 'run', '--root', folder, '--tags-filter', '!long'],
      { env },
    );
    expect(stdout).toBe(
      [
        'Left to npm run test:long: 1 test',
        'Not run, because this machine lacks:',
        '  Redis (3 tests): install it',
        '  is skipped (1 test): it has no reason',
        '1 passed, 0 failed, 4 skipped\n',
      ].join('\n'),
    );
  });
});

describe('a run in continuous integration', () => {
  const environment = { CI: 'true' };
  const isThere = () => false;

  it('fails without a program that the lock has for the platform', () => {
    expect(() => requireProgramsOfNpm({ environment, platform: 'linux-x64', isThere })).toThrow(
      /^anvil is missing, although the lock has it for linux-x64: /,
    );
  });

  it('runs without a program that the lock does not have for the platform', () => {
    expect(() => requireProgramsOfNpm({ environment, platform: 'linux-arm64', isThere })).not.toThrow();
  });

  it('runs if nothing is missing, and outside continuous integration', () => {
    const platform = 'linux-x64';
    expect(() => requireProgramsOfNpm({ environment, platform, isThere: () => true })).not.toThrow();
    expect(() => requireProgramsOfNpm({ environment: {}, platform, isThere })).not.toThrow();
    expect(() => requireProgramsOfNpm({ environment: { CI: 'false' }, platform, isThere })).not.toThrow();
  });
});
