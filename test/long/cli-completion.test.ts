import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { needs } from '../support/requirements.ts';

const binary = fileURLToPath(new URL('../../packages/cli/bin/keyfront.js', import.meta.url));

let folder: string;
let env: Record<string, string>;

/**
 * A `keyfront` that completes with the real program and prints the arguments of every other command, so that a test sees
 * which words the shell has made of a line.
 */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-completion-'));
  const command = join(folder, 'keyfront');
  writeFileSync(
    command,
    `#!/bin/sh
case "$1" in
  __complete | completion) exec "${process.execPath}" "${binary}" "$@" ;;
  *) printf '<%s>' "$@"; echo ' END' ;;
esac
`,
  );
  chmodSync(command, 0o755);
  const profile = { url: 'https://keyfront.example/api/v1', token: 'jwt' };
  mkdirSync(join(folder, '.config/keyfront'), { recursive: true });
  writeFileSync(
    join(folder, '.config/keyfront/profiles.json'),
    JSON.stringify({ profiles: { default: profile, wallet: profile, 'my shop': profile } }),
  );
  writeFileSync(join(folder, 'orders.pem'), '');
  env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: 'xterm', PS1: '$ ', SHELL: '/bin/sh' };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An interactive shell on a pseudo-terminal. */
function openShell(command: string, setUp: string) {
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env,
  });
  onTestFinished(() => {
    child.kill();
  });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += chunk;
  });
  const closed = once(child, 'close');
  const waitFor = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, found] = pattern.exec(screen) ?? [];
      if (found !== undefined) return found;
      await Promise.race([
        once(child.stdout, 'data'),
        closed.then(() => {
          throw new Error(`The shell ended: ${screen}`);
        }),
      ]);
    }
  };
  return {
    setUp: async () => {
      child.stdin.write(`${setUp}; echo SET""UP\n`);
      await waitFor(/[\r\n](SETUP)/);
    },
    /** Types a line with tabs, and returns the arguments that the command gets. */
    type: async (line: string): Promise<string> => {
      screen = '';
      child.stdin.write(`${line}\n`);
      return waitFor(/[\r\n](<[^\r\n]*>) END/);
    },
    close: async () => {
      child.stdin.end('exit\n');
      await closed;
    },
  };
}

/** What is typed before Tab, and the arguments after it. */
const typedLines = [
  ['keyfront get --profile my\t', '<get><--profile><my shop>'],
  ['keyfront get --profile=wal\t', '<get><--profile=wallet>'],
  ['keyfront dele\t/dapp/car\t42', '<delete></dapp/carts/42>'],
  ['keyfront get /dapp/orders/42/hi\t', '<get></dapp/orders/42/history>'],
  ['keyfront orders export --order-by createdAt:a\t', '<orders><export><--order-by><createdAt:asc>'],
  ['keyfront login --secret-key-file ord\t', '<login><--secret-key-file><orders.pem>'],
] as const;

const interactiveShells = [
  {
    shell: 'bash',
    command: 'bash --norc --noprofile -i',
    setUp: 'source <(keyfront completion bash)',
    requirements: ['script(1)'],
  },
  {
    shell: 'zsh',
    command: 'zsh -f -i',
    // `-u` accepts folders that other users can write to; `-D` writes no dump file.
    setUp: 'autoload -Uz compinit; compinit -u -D; source <(keyfront completion zsh)',
    requirements: ['zsh', 'script(1)'],
  },
] as const;

describe('shell completion', () => {
  for (const { shell, command, setUp, requirements } of interactiveShells) {
    it(`completes what is typed in ${shell}`, needs(...requirements), async () => {
      const session = openShell(command, setUp);
      await session.setUp();
      const results: [string, string][] = [];
      for (const [line] of typedLines) results.push([line, await session.type(line)]);
      expect(results).toEqual(typedLines);
      await session.close();
    });
  }

  it('completes what is typed in fish', needs('fish'), () => {
    const complete = (line: string) =>
      execFileSync(
        'fish',
        ['--no-config', '-c', 'keyfront completion fish | source; complete --do-complete $argv[1]', line],
        { cwd: folder, env, encoding: 'utf8' },
      )
        .trimEnd()
        .split('\n');
    expect(complete('keyfront get --profile ').map((line) => line.split('\t')[0])).toEqual([
      'default',
      'my shop',
      'wallet',
    ]);
    expect(complete('keyfront get --profile=wal')).toEqual([
      '--profile=wallet\thttps://keyfront.example/api/v1',
    ]);
    expect(complete('keyfront get /dapp/orders/42/hi')).toEqual([
      expect.stringMatching(/^\/dapp\/orders\/42\/history\t/),
    ]);
    expect(complete('keyfront orders export --order-by createdAt:a')).toEqual(['createdAt:asc']);
    expect(complete('keyfront login --secret-key-file ord')).toEqual(['orders.pem']);
  });
});
