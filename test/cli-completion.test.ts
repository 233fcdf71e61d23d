import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const binary = fileURLToPath(new URL('../packages/cli/bin/keyfront.js', import.meta.url));

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

const isInstalled = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasScript = isInstalled('script', '--version');

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
  ['bash', 'bash --norc --noprofile -i', 'source <(keyfront completion bash)'],
  // `-u` accepts folders that other users can write to; `-D` writes no dump file.
  ['zsh', 'zsh -f -i', 'autoload -Uz compinit; compinit -u -D; source <(keyfront completion zsh)'],
] as const;

describe('shell completion', { timeout: 240_000 }, () => {
  for (const [shell, command, setUp] of interactiveShells) {
    const missing = [!isInstalled(shell, '-c', 'true') && shell, !hasScript && 'script(1)'].filter(Boolean);
    const note = missing.length > 0 ? ` (not run: ${missing.join(' and ')} is not installed)` : '';
    it.skipIf(missing.length > 0)(`completes what is typed in ${shell}${note}`, async () => {
      const session = openShell(command, setUp);
      await session.setUp();
      const results: [string, string][] = [];
      for (const [line] of typedLines) results.push([line, await session.type(line)]);
      expect(results).toEqual(typedLines);
      await session.close();
    });
  }

  const hasFish = isInstalled('fish', '-c', 'true');
  const note = hasFish ? '' : ' (not run: fish is not installed)';
  it.skipIf(!hasFish)(`completes what is typed in fish${note}`, () => {
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
