import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileOnce } from './compile-once.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-contracts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('compiles a source once, and again after a change', async () => {
  const compile = vi.fn(async () => ({ One: { abi: [], bytecode: '0x60' as const } }));
  const source = join(folder, 'One.sol');
  const cache = join(folder, 'cache');
  await writeFile(source, 'contract One {}');
  const expected = { One: { abi: [], bytecode: '0x60' } };
  expect(await compileOnce([source], { folder: cache, compile })).toEqual(expected);
  expect(await compileOnce([source], { folder: cache, compile })).toEqual(expected);
  expect(compile).toHaveBeenCalledTimes(1);

  await writeFile(source, 'contract One { }');
  expect(await compileOnce([source], { folder: cache, compile })).toEqual(expected);
  expect(compile).toHaveBeenCalledTimes(2);
  expect(await readdir(cache)).toHaveLength(2);
});
