import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAnvil } from './find-anvil.ts';

const ofPackage = findAnvil({});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-anvil-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the program anvil', () => {
  it('is the one that ANVIL names, before any other', () => {
    expect(findAnvil({ ANVIL: '/some/where/anvil', PATH: process.env.PATH })).toBe('/some/where/anvil');
  });

  if (ofPackage === null) {
    it('is the first on the path that can be run, where npm has none for this machine', async () => {
      const program = join(folder, process.platform === 'win32' ? 'anvil.exe' : 'anvil');
      const path = ['', join(folder, 'missing'), folder].join(delimiter);
      expect(findAnvil({ PATH: path })).toBeNull();
      await writeFile(program, '', { mode: 0o644 });
      expect(findAnvil({ ANVIL: '', PATH: path })).toBeNull();
      await chmod(program, 0o755);
      expect(findAnvil({ ANVIL: '', PATH: path })).toBe(program);
    });

    it('is never npm’s starter of a program that npm does not have', async () => {
      const ofNpm = join(folder, 'node_modules', '.bin');
      await mkdir(ofNpm, { recursive: true });
      await writeFile(join(ofNpm, 'anvil'), '', { mode: 0o755 });
      expect(findAnvil({ PATH: ofNpm })).toBeNull();
    });
  } else {
    it('is npm’s, before the one on the path', async () => {
      await writeFile(join(folder, 'anvil'), '', { mode: 0o755 });
      expect(findAnvil({ PATH: folder })).toBe(ofPackage);
      expect(() => accessSync(ofPackage, constants.X_OK)).not.toThrow();
    });
  }
});
