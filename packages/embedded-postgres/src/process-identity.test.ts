import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { readProcessIdentity } from './process-identity.ts';

const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
  for (const folder of folders.splice(0)) {
    await rm(folder, { recursive: true, force: true });
  }
});

async function waitingChild(program = process.execPath): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn(program, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  children.push(child);
  await once(child, 'spawn');
  return { child, pid: child.pid ?? 0 };
}

describe('readProcessIdentity', () => {
  it('stays the same for a live process', () => {
    expect(readProcessIdentity(process.pid)).not.toBeNull();
    expect(readProcessIdentity(process.pid)).toBe(readProcessIdentity(process.pid));
  });

  it('is null when the process has ended', async () => {
    const { child, pid } = await waitingChild();
    expect(readProcessIdentity(pid)).not.toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readProcessIdentity(pid)).toBeNull();
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 30])('is null for %s, which is no process', (pid) => {
    expect(readProcessIdentity(pid)).toBeNull();
  });

  it('counts a zombie as dead', needs('Linux'), async () => {
    // The shell is replaced by a program that never collects the children of the shell.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 600 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    children.push(parent);
    if (!parent.stdout) throw new Error('The shell has no output');
    const [line] = await once(parent.stdout, 'data');
    const zombie = Number(String(line));
    await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    expect(readProcessIdentity(zombie)).not.toBeNull();
    parent.stdio[3]?.destroy();
    await expect.poll(() => readProcessIdentity(zombie)).toBeNull();
    expect(() => process.kill(zombie, 0)).not.toThrow();
  });

  it('reads a command name with spaces and parentheses', needs('Linux'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'identity-'));
    folders.push(folder);
    const program = join(folder, 'a) Z 1 (b');
    await symlink(process.execPath, program).catch(() => copyFile(process.execPath, program));
    const { child, pid } = await waitingChild(program);
    expect(readProcessIdentity(pid)).toMatch(/:\d+$/);
    expect(readProcessIdentity(pid)).not.toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readProcessIdentity(pid)).toBeNull();
  });
});
