import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHarness } from '../../test/cli-harness.ts';
import { profileFile, writeProfiles } from '../credentials/profiles.ts';

/** What the program offers to a shell for the last word, and how the shell should go on. */
async function complete(...words: string[]): Promise<{ values: string[]; mode: string | undefined }> {
  const harness = createHarness({ env: {} });
  const profile = { url: 'https://keyfront.example/api/v1', token: 'jwt' };
  await writeProfiles(
    profileFile(harness.context),
    new Map([
      ['default', profile],
      ['admin', profile],
      ['my shop', profile],
    ]),
  );
  const { code, stdout, stderr } = await harness.run('__complete', ...words);
  expect([code, stderr, harness.requests]).toEqual([0, '', []]);
  const lines = stdout.trimEnd().split('\n');
  return { values: lines.slice(0, -1).map((line) => line.split('\t')[0] ?? ''), mode: lines.at(-1) };
}

describe('completion', () => {
  it.each([
    [['log'], ['login', 'logout']],
    [
      ['keys', ''],
      ['list', 'create', 'update', 'rotate', 'revoke'],
    ],
    [
      ['sessions', ''],
      ['list', 'end'],
    ],
    [['sessions', 'end', '--o'], ['--others']],
    [['sign', 'GET', '/planets', '--s'], ['--simple']],
    [['help', 'or'], ['orders']],
    [
      ['orders', 'export', '--s'],
      ['--status', '--search', '--search-by'],
    ],
    [
      ['orders', 'export', '--csv', '--status', 'P'],
      ['PENDING', 'PROCESSING'],
    ],
    [['orders', 'export', '--status=SH'], ['--status=SHIPPED']],
    [
      ['chart', '--interval', ''],
      ['day', 'week', 'month'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['get', '/planets', '--pro'], ['--profile']],
    [
      ['get', '--profile', ''],
      ['default', 'admin', 'my shop'],
    ],
    [['get', '--profile=ad'], ['--profile=admin']],
    [['--pro'], ['--profile']],
    [
      ['--profile', ''],
      ['default', 'admin', 'my shop'],
    ],
    [['--profile', 'admin', 'get', '/plan'], ['/planets']],
    [['get', '/plan'], ['/planets']],
    [['get', '-q', 'take=1', '--profile', 'admin', '/plan'], ['/planets']],
    [
      ['sign', 'P'],
      ['POST', 'PATCH', 'PUT'],
    ],
    [['sign', 'post', '/auth/n'], ['/auth/nonce']],
    [['nonsense', 'x'], []],
    [['get', '/planets', 'x'], []],
  ])('offers for %j', async (words, expected) => {
    expect((await complete(...words)).values).toEqual(expected);
  });

  it('offers all commands first', async () => {
    const { values } = await complete('');
    expect(values).toEqual(expect.arrayContaining(['login', 'doctor', 'orders', 'keys', 'help']));
    expect(values).not.toContain('__complete');
  });

  it('lets the shell complete files', async () => {
    expect(await complete('login', '--secret-key-file', 'x')).toEqual({ values: [], mode: ':files' });
    expect(await complete('orders', 'export', '-o', '')).toEqual({ values: [], mode: ':files' });
  });

  it('asks for no space where a value is not complete', async () => {
    expect(await complete('delete', '/dapp/cl')).toEqual({ values: ['/dapp/clients/'], mode: ':nospace' });
    expect((await complete('get', '/plan')).mode).toBe(':done');
  });

  it('prints a description with each value', async () => {
    const { stdout } = await createHarness({ env: {} }).run('__complete', 'logo');
    expect(stdout).toBe('logout\tDelete the credentials of a profile\n:done\n');
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await createHarness().run('completion', shell);
    expect([code, stdout]).toEqual([0, expect.stringContaining('__complete')]);
    if (shell === 'bash') execFileSync('bash', ['-n'], { input: stdout });
  });

  it('is set up by the commands of the README and of the help, in a home folder without settings', async () => {
    const harness = createHarness({ env: {} });
    // Stands for the installed program.
    writeFileSync(join(harness.folder, 'keyfront'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const { stdout: help } = await harness.run('completion', '--help');
    for (const text of [readme, help]) {
      const home = mkdtempSync(join(harness.folder, 'home-'));
      const commands = text.split('\n').filter((line) => /^ *(echo|mkdir|keyfront) .*completion/.test(line));
      expect(commands).toHaveLength(3);
      execFileSync('sh', ['-e'], {
        input: commands.join('\n'),
        env: { HOME: home, PATH: `${harness.folder}:${process.env.PATH}` },
      });
      expect(readFileSync(join(home, '.config/fish/completions/keyfront.fish'), 'utf8')).toBe(
        'completion fish\n',
      );
    }
  });

  it('rejects other shells', async () => {
    const { code, stderr } = await createHarness().run('completion', 'tcsh');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});
