import type { FileStore } from '@keyfront/file-store';
import { expect, it } from 'vitest';
import { nameArchive, readArchive, storeArchive } from './archive-file.ts';

function keepInMemory(change = (content: Buffer) => content): FileStore & { files: Map<string, Buffer> } {
  const files = new Map<string, Buffer>();
  return {
    files,
    put: async (name, content) => void files.set(name, change(content)),
    find: async (name) => files.get(name) ?? null,
    remove: async (name) => void files.delete(name),
  };
}

const lines = ['{"order": {"note": "Zoë\\n"}}', '{"order": {}}'];

it('stores lines, and reads the same ones', async () => {
  const store = keepInMemory();
  const fileName = nameArchive(7, '2024-01');
  expect(fileName).toMatch(/^7\/2024-01\/[0-9a-f-]{36}\.jsonl\.gz$/);
  const checksum = (await storeArchive(store, fileName, lines)) ?? '';
  expect(await readArchive(store, { fileName, checksum })).toEqual(lines);
  expect(await readArchive(store, { fileName: 'another', checksum })).toBeNull();
});

it('notices a store that loses what was written, and a file that has changed', async () => {
  const shortening = keepInMemory((content) => content.subarray(0, 10));
  await expect(storeArchive(shortening, 'a', lines)).rejects.toThrow('damaged');
  const losing: FileStore = { ...keepInMemory(), find: async () => null };
  expect(await storeArchive(losing, 'a', lines)).toBeNull();
  const store = keepInMemory();
  const checksum = (await storeArchive(store, 'a', lines)) ?? '';
  await storeArchive(store, 'a', ['{}']);
  await expect(readArchive(store, { fileName: 'a', checksum })).rejects.toThrow('damaged');
});
