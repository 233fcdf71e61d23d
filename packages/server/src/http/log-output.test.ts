import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStdout } from './log-output.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stdout-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('lines', () => {
  let fd: number;
  let stdout: ReturnType<typeof openStdout>;
  const written = () => readFileSync(join(folder, 'lines'), 'utf8');
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    fd = openSync(join(folder, 'lines'), 'w');
    stdout = openStdout(fd);
  });
  afterEach(() => {
    vi.useRealTimers();
    closeSync(fd);
  });

  it('are written together, 10 ms after the first of them', () => {
    stdout.write('one\n');
    vi.advanceTimersByTime(9);
    stdout.write('two\n');
    expect(written()).toBe('');
    vi.advanceTimersByTime(1);
    expect(written()).toBe('one\ntwo\n');
  });

  it('are buffered again after they were written', () => {
    stdout.write('one\n');
    vi.advanceTimersByTime(1_000);
    stdout.write('two\n');
    vi.advanceTimersByTime(9);
    expect(written()).toBe('one\n');
    vi.advanceTimersByTime(1);
    expect(written()).toBe('one\ntwo\n');
  });

  it('are written earlier when they are many, complete and in order', () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => `line ${n} of many\n`);
    for (const line of lines) stdout.write(line);
    expect(written().length).toBeGreaterThan(15 * 1024 - 100);
    vi.advanceTimersByTime(10);
    expect(written()).toBe(lines.join(''));
  });

  it('are written at once by flushSync(), and only once', () => {
    stdout.write('one\n');
    stdout.flushSync();
    expect(written()).toBe('one\n');
    vi.advanceTimersByTime(1_000);
    expect(written()).toBe('one\n');
  });
});

describe('the last line of a process', () => {
  it.each([
    ['exits', 'process.exit(3)', 3],
    ['has nothing more to do', '', 0],
    ['fails', `throw new Error('failed on purpose')`, 1],
  ])('is written when the process %s immediately', (_how, end, expectedStatus) => {
    const program = join(folder, 'program.mjs');
    writeFileSync(
      program,
      `import { openStdout } from '${new URL('../../dist/http/log-output.js', import.meta.url)}';
       openStdout().write('last line\\n');
       ${end}`,
    );
    const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([expectedStatus, 'last line\n']);
  });

  it.each([
    ['is full', '/dev/full', 'process.exit(3)'],
    ['is full, a moment later', '/dev/full', 'setTimeout(() => process.exit(3), 50)'],
    ['has no reader', null, 'process.exit(3)'],
    ['has no reader, a moment later', null, 'setTimeout(() => process.exit(3), 50)'],
  ])('does not block the process when the output %s', async (_what, device, end) => {
    const program = join(folder, 'program.mjs');
    writeFileSync(
      program,
      `import { readFileSync } from 'node:fs';
       import { openStdout } from '${new URL('../../dist/http/log-output.js', import.meta.url)}';
       readFileSync(0);
       const stdout = openStdout();
       stdout.write('one\\n');
       stdout.flushSync();
       stdout.write('last line\\n');
       ${end}`,
    );
    const output = device ? openSync(device, 'w') : null;
    const child = spawn(process.execPath, [program], {
      stdio: ['pipe', output ?? 'pipe', 'ignore'],
      timeout: 20_000,
    });
    if (output) closeSync(output);
    const ended = once(child, 'exit');
    // The program writes after its standard input has ended.
    child.stdout?.destroy();
    child.stdin?.end();
    const [, signal] = await ended;
    expect(signal).toBeNull();
  });
});
