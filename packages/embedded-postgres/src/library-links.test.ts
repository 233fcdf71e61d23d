import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { makeLibraryLinks } from './library-links.ts';

let base: string;
let packageFolder: string;
let libraries: string;
let fallback: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'links-'));
  packageFolder = join(base, 'package');
  libraries = join(packageFolder, 'native', 'lib');
  fallback = join(base, 'fallback');
  await mkdir(libraries, { recursive: true });
  await writeFile(join(libraries, 'liba.so.1.2'), 'a');
  await writeFile(
    join(packageFolder, 'native', 'pg-symlinks.json'),
    JSON.stringify([
      { source: 'native/lib/liba.so.1.2', target: 'native/lib/liba.so.1' },
      { source: 'native/lib/liba.so.1.2', target: 'native/lib/liba.so' },
    ]),
  );
});

afterEach(async () => {
  await chmod(libraries, 0o755);
  await rm(base, { recursive: true, force: true });
});

/** Runs code with the access rights of an ordinary user, also when root runs the tests. */
async function asOrdinaryUser(use: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return use();
  process.seteuid?.(54_321);
  try {
    await use();
  } finally {
    process.seteuid?.(0);
  }
}

describe('makeLibraryLinks', () => {
  it('creates relative links, also concurrently and repeatedly', async () => {
    await Promise.all(Array.from({ length: 10 }, () => makeLibraryLinks(packageFolder, fallback)));
    expect(await makeLibraryLinks(packageFolder, fallback)).toBeNull();
    expect((await readdir(libraries)).toSorted()).toEqual(['liba.so', 'liba.so.1', 'liba.so.1.2']);
    expect(await readlink(join(libraries, 'liba.so.1'))).toBe('liba.so.1.2');
    expect(await readdir(base)).toEqual(['package']);
  });

  it(
    'creates the links in the fallback folder when the package is not writable',
    needs('Linux'),
    async () => {
      await chmod(base, 0o777);
      await chmod(libraries, 0o555);
      await asOrdinaryUser(async () => {
        for (let start = 0; start < 2; start += 1) {
          expect(await makeLibraryLinks(packageFolder, fallback)).toBe(fallback);
          expect(await readFile(join(fallback, 'liba.so.1'), 'utf8')).toBe('a');
        }
      });
    },
  );
});
