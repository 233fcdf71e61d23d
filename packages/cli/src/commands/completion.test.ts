import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openWorld } from '../../test/world.ts';

const hasZsh = spawnSync('zsh', ['-c', 'true']).status === 0;

/** What bash offers after these words, of which the last is being typed. */
function complete(script: string, ...words: string[]): string[] {
  const program = `${script}
COMP_WORDS=(keyfront "$@") COMP_CWORD=$#
_keyfront
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe('keyfront completion', () => {
  it('completes commands, options and their values in bash', async () => {
    const { stdout: script } = await openWorld().run('completion', 'bash');
    execFileSync('bash', ['-n'], { input: script });
    expect(complete(script, '')).toEqual(expect.arrayContaining(['login', 'doctor', 'orders', '--version']));
    expect(complete(script, 'log')).toEqual(['login', 'logout']);
    expect(complete(script, 'orders', '')).toEqual(['export', '--help']);
    expect(complete(script, 'orders', 'export', '--s')).toEqual(['--status', '--search', '--search-by']);
    expect(complete(script, 'orders', 'export', '--csv', '--status', 'P')).toEqual(['PENDING', 'PROCESSING']);
    expect(complete(script, 'completion', '')).toEqual(['bash', 'zsh', '--help']);
    expect(complete(script, 'get', '/planets', '--p')).toEqual(['--profile']);
  });

  it.skipIf(!hasZsh)(
    `is read by zsh${hasZsh ? '' : ': passed over, because there is no zsh here'}`,
    async () => {
      const { stdout: script } = await openWorld().run('completion', 'zsh');
      // `-u`, since it would ask about folders that others may write to.
      const program = `autoload -Uz compinit && compinit -u\n${script}\n[[ -n $_comps[keyfront] ]]`;
      const { status, stderr } = spawnSync('zsh', ['-f', '-c', program], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );

  it('knows no other shell', async () => {
    const { code, stderr } = await openWorld().run('completion', 'fish');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh')]);
  });
});
