import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { openStdout } from './standard-output.ts';
import { createTerminalFormat } from './terminal-format.ts';

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

/** Writes numbered lines while nobody reads them. Reports how many were dropped, and goes on when it gets a message. */
const floodingProgram = `
import { openStdout } from '${new URL('../dist/standard-output.js', import.meta.url)}';
const output = openStdout();
const line = (number) => JSON.stringify({ level: 'info', number, text: 'x'.repeat(200) }) + '\\n';
let number = 0;
const flood = () => {
  for (let batch = 0; batch < 100; batch++) output.write(line(number++));
  if (number < 20_000) return setImmediate(flood);
  output.write(JSON.stringify({ level: 'fatal', number: -1 }) + '\\n');
  output.flushSync();
  output.print('printed');
  process.send(output.countDropped());
};
process.on('message', (message) => {
  if (message === 'exit') process.exit(7);
  output.write(line(number));
});
flood();
`;

describe('a reader that stops reading', () => {
  const openings = {
    'a socket': () => ({ stdio: 'pipe' as const, read: (child: ChildProcess) => child.stdout as Readable }),
    'a pipe': () => {
      const path = join(folder, `pipe-${randomUUID()}`);
      execFileSync('mkfifo', [path]);
      // Opened for both directions, because opening one end waits for the other.
      const fd = openSync(path, 'r+');
      return { stdio: fd, read: () => new Socket({ fd, readable: true, writable: false }) };
    },
  };
  const startFlood = (opening: (typeof openings)['a socket'] | (typeof openings)['a pipe']) => {
    const program = join(folder, 'flood.mjs');
    writeFileSync(program, floodingProgram);
    const { stdio, read } = opening();
    const child = spawn(process.execPath, [program], { stdio: ['ignore', stdio, 'inherit', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, read: () => read(child) };
  };

  it.each(Object.entries(openings))(
    'of %s does not block the process: lines are dropped, counted and reported, and errors kept',
    async (_name, opening) => {
      const { child, read } = startFlood(opening);
      const [dropped] = await once(child, 'message');
      expect(dropped).toBeGreaterThan(10_000);

      let text = '';
      const source = read();
      source.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      await expect.poll(() => text).toContain('"dropped":');
      child.send('write another line');
      await expect.poll(() => text).toContain('"number":20000');
      source.destroy();
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => (line === 'printed' ? line : JSON.parse(line)));
      const numbers = lines.flatMap((line) => (line.level === 'info' ? [line.number] : []));
      expect(numbers).toEqual([...Array(20_000 - dropped).keys(), 20_000]);
      expect(lines.slice(-4)).toMatchObject([{ level: 'warn', dropped }, { level: 'fatal' }, 'printed', {}]);
      expect(lines.at(-4).msg).toBe(
        `${dropped} log lines were dropped: the reader of the log did not keep up, or writing failed`,
      );
    },
  );

  it.each(Object.entries(openings))(
    'of %s does not keep the process from exiting',
    async (_name, opening) => {
      const { child } = startFlood(opening);
      await once(child, 'message');
      const exited = once(child, 'exit');
      child.send('exit');
      expect(await exited).toEqual([7, null]);
    },
  );
});

it('counts lines that could not be written as dropped', needs('Linux'), () => {
  const fd = openSync('/dev/full', 'w');
  const output = openStdout(fd);
  for (let number = 0; number < 5; number++) output.write('{"level":"info"}\n');
  output.flushSync();
  output.write('{"level":"info"}\n');
  output.flushSync();
  expect(output.countDropped()).toBe(6);
  closeSync(fd);
});

it('prints text after the lines before it', () => {
  const file = join(folder, 'printed');
  const fd = openSync(file, 'w');
  const output = openStdout(fd, createTerminalFormat(false));
  output.write('{"level":"info","time":"2026-11-15T09:30:00.000Z","msg":"before"}\n');
  output.print('  ready: "quoted"');
  expect(readFileSync(file, 'utf8')).toMatch(/^\d\d:\d\d:00\.000 info {2}before\n {2}ready: "quoted"\n$/);
  closeSync(fd);
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
      `import { openStdout } from '${new URL('../dist/standard-output.js', import.meta.url)}';
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
       import { openStdout } from '${new URL('../dist/standard-output.js', import.meta.url)}';
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
