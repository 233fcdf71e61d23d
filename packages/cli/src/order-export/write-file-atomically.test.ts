import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomically } from './write-file-atomically.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('writeFileAtomically', () => {
  it('gives the file its name only when the last chunk is written', async () => {
    const file = join(folder, 'file');
    const seen: string[][] = [];
    await writeFileAtomically(
      file,
      (async function* () {
        yield 'one ';
        while (readdirSync(folder).length === 0) await setImmediate();
        seen.push(readdirSync(folder));
        yield Buffer.from('two');
      })(),
    );
    expect(seen).toEqual([[expect.stringMatching(/^file\.[0-9a-f]{8}\.part$/)]]);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'one two']);
  });

  it('leaves no file if a chunk fails', async () => {
    const chunks = (async function* () {
      yield 'one';
      throw new Error('cut');
    })();
    await expect(writeFileAtomically(join(folder, 'file'), chunks)).rejects.toThrow('cut');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves no file when it fails before the file is open', async () => {
    const failing = async () => {
      const chunks = (async function* () {
        yield* [];
        throw new Error('interrupted');
      })();
      await expect(writeFileAtomically(join(folder, 'orders.csv'), chunks)).rejects.toThrow('interrupted');
    };
    await Promise.all(Array.from({ length: 50 }, failing));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails if the file cannot be written', async () => {
    const chunks = (async function* () {
      for (;;) yield 'more';
    })();
    await expect(writeFileAtomically(join(folder, 'no', 'file'), chunks)).rejects.toThrow('ENOENT');
  });

  it('does not replace a device', async () => {
    const chunks = (async function* () {
      yield 'nothing';
    })();
    await writeFileAtomically('/dev/null', chunks);
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });
});
