import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAnvil } from './find-anvil.ts';

const packagedAnvil = findAnvil({});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-anvil-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('findAnvil', () => {
  it('prefers the path in ANVIL', () => {
    expect(findAnvil({ ANVIL: '/some/where/anvil', PATH: process.env.PATH })).toBe('/some/where/anvil');
  });

  if (packagedAnvil === null) {
    it('returns the first executable on the path if npm has no build for this platform', async () => {
      const program = join(folder, process.platform === 'win32' ? 'anvil.exe' : 'anvil');
      const path = ['', join(folder, 'missing'), folder].join(delimiter);
      expect(findAnvil({ PATH: path })).toBeNull();
      await writeFile(program, '', { mode: 0o644 });
      expect(findAnvil({ ANVIL: '', PATH: path })).toBeNull();
      await chmod(program, 0o755);
      expect(findAnvil({ ANVIL: '', PATH: path })).toBe(program);
    });

    it('ignores the launcher of npm if npm has no build for this platform', async () => {
      const npmBin = join(folder, 'node_modules', '.bin');
      await mkdir(npmBin, { recursive: true });
      await writeFile(join(npmBin, 'anvil'), '', { mode: 0o755 });
      expect(findAnvil({ PATH: npmBin })).toBeNull();
    });
  } else {
    it('prefers the build from npm over the path', async () => {
      await writeFile(join(folder, 'anvil'), '', { mode: 0o755 });
      expect(findAnvil({ PATH: folder })).toBe(packagedAnvil);
      expect(() => accessSync(packagedAnvil, constants.X_OK)).not.toThrow();
    });
  }
});
