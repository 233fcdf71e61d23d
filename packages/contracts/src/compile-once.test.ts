import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileContracts } from './compile-contracts.ts';
import { compileOnce } from './compile-once.ts';

vi.mock(import('./compile-contracts.ts'), async (load) => ({
  ...(await load()),
  compileContracts: vi.fn(async () => ({ One: { abi: [], bytecode: '0x60' as const } })),
}));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-contracts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a source is compiled once, and again when it has changed', async () => {
  const source = join(folder, 'One.sol');
  const kept = join(folder, 'kept');
  await writeFile(source, 'contract One {}');
  const expected = { One: { abi: [], bytecode: '0x60' } };
  expect(await compileOnce([source], kept)).toEqual(expected);
  expect(await compileOnce([source], kept)).toEqual(expected);
  expect(compileContracts).toHaveBeenCalledTimes(1);

  await writeFile(source, 'contract One { }');
  expect(await compileOnce([source], kept)).toEqual(expected);
  expect(compileContracts).toHaveBeenCalledTimes(2);
  expect(await readdir(kept)).toHaveLength(2);
});
