import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWholeFile } from './write-whole-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a whole file', () => {
  it('has its name only when the last piece is written', async () => {
    const file = join(folder, 'file');
    const seen: string[][] = [];
    await writeWholeFile(
      file,
      (async function* () {
        yield 'one ';
        // It is opened meanwhile.
        while (readdirSync(folder).length === 0) await setImmediate();
        seen.push(readdirSync(folder));
        yield Buffer.from('two');
      })(),
    );
    expect(seen).toEqual([[expect.stringMatching(/^file\.[0-9a-f]{8}\.part$/)]]);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'one two']);
  });

  it('is not there at all when a piece fails', async () => {
    const pieces = (async function* () {
      yield 'one';
      throw new Error('cut');
    })();
    await expect(writeWholeFile(join(folder, 'file'), pieces)).rejects.toThrow('cut');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails where it cannot be written', async () => {
    const pieces = (async function* () {
      for (;;) yield 'more';
    })();
    await expect(writeWholeFile(join(folder, 'no', 'file'), pieces)).rejects.toThrow('ENOENT');
  });

  it.skipIf(process.platform === 'win32')('does not take the place of a device', async () => {
    const pieces = (async function* () {
      yield 'nothing';
    })();
    await writeWholeFile('/dev/null', pieces);
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });
});
