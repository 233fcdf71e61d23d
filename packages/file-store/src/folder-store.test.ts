import { randomUUID } from 'node:crypto';
import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolderStore, tryFolder } from './folder-store.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'keyfront-files-'));
});
afterEach(() => rm(parent, { recursive: true }));

const name = `${'5c'.repeat(32)}.png`;

it('creates its folder, stores complete files that only the service reads, and leaves no drafts', async () => {
  const folder = join(parent, 'images');
  const store = createFolderStore(folder);
  expect(await store.find(name)).toBeNull();
  const content = Buffer.from('pixels');
  await Promise.all(Array.from({ length: 8 }, () => store.put(name, content, 'image/png')));
  expect(await store.find(name)).toEqual(content);
  expect(await readdir(folder)).toEqual([name]);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
});

it('creates the folders of a name, which only the service enters', async () => {
  const store = createFolderStore(join(parent, 'orders'));
  await store.put('7/2024-01/a.gz', Buffer.from('a'), 'application/gzip');
  await store.put('7/2024-02/b.gz', Buffer.from('b'), 'application/gzip');
  expect(await store.find('7/2024-02/b.gz')).toEqual(Buffer.from('b'));
  expect(await readdir(join(parent, 'orders', '7'))).toEqual(['2024-01', '2024-02']);
  expect((await stat(join(parent, 'orders', '7'))).mode & 0o777).toBe(0o700);
});

it('gives what root stores to the owner of the folder', async () => {
  const uid = process.getuid?.() === 0 ? 12_345 : (process.getuid?.() ?? 0);
  await chown(parent, uid, process.getgid?.() ?? 0);
  const store = createFolderStore(parent);
  await store.put('7/2024-01/a.gz', Buffer.from('a'), 'application/gzip');
  await store.put('7/2024-01/b.gz', Buffer.from('b'), 'application/gzip');
  for (const name of ['7', '7/2024-01', '7/2024-01/a.gz', '7/2024-01/b.gz'])
    expect([name, (await stat(join(parent, name))).uid]).toEqual([name, uid]);
});

it('removes a file, and has nothing to do for one that does not exist', async () => {
  const store = createFolderStore(parent);
  await store.put('a/b', Buffer.from('x'), 'text/plain');
  await store.remove('a/b');
  await store.remove('a/b');
  expect(await store.find('a/b')).toBeNull();
});

it('removes with a file what was left of it by a process that was killed while writing', async () => {
  const store = createFolderStore(parent);
  await store.put('a/b', Buffer.from('x'), 'text/plain');
  await store.put('a/bc', Buffer.from('y'), 'text/plain');
  for (const left of ['b', 'bc']) await writeFile(join(parent, 'a', `${left}.${randomUUID()}.partial`), 'x');
  await store.remove('a/b');
  expect((await readdir(join(parent, 'a'))).sort()).toEqual([
    'bc',
    expect.stringMatching(/^bc\..+\.partial$/),
  ]);
  await store.remove('none/b');
});

it('may be told to remove a file that is being written, which then exists as a whole or not at all', async () => {
  const store = createFolderStore(parent);
  const content = Buffer.alloc(100_000, 'x');
  for (let round = 0; round < 20; round++) {
    await Promise.all([
      store.put('a/b', content, 'text/plain'),
      ...Array.from({ length: 20 }, () => store.remove('a/b')),
    ]);
    const found = await store.find('a/b');
    expect([null, content.length]).toContain(found ? found.length : null);
    expect(await readdir(join(parent, 'a'))).toEqual(found ? ['b'] : []);
  }
});

it('leaves no draft when the disk refuses', async () => {
  const store = createFolderStore(join(parent, 'images'));
  // A folder in the place of the image.
  await createFolderStore(join(parent, 'images', name)).put('x', Buffer.from('x'), 'image/png');
  await expect(store.put(name, Buffer.from('pixels'), 'image/png')).rejects.toThrow();
  expect(await readdir(join(parent, 'images'))).toEqual([name]);
});

it('is created and tried, with the error of the system where no file can be written', async () => {
  const folder = join(parent, 'of', 'images');
  await tryFolder(folder);
  expect(await readdir(folder)).toEqual([]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await writeFile(join(parent, 'file'), '');
  await expect(tryFolder(join(parent, 'file', 'images'))).rejects.toThrow('ENOTDIR');
  await expect(tryFolder('/proc/none/images')).rejects.toThrow();
});
