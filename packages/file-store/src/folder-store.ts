import { randomUUID } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileStore } from './file-store.ts';

/** Keeps files in a folder. A file has its name only when it is complete and on disk. */
export function createFolderStore(folder: string): FileStore {
  return {
    put: async (name, content) => {
      const path = join(folder, name);
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Up to the folder that has the first of the new ones.
      const last = created === undefined ? dirname(path) : dirname(created);
      const owner = await stat(last);
      // A command that root runs must leave nothing that the service cannot read.
      const isGivenAway = process.getuid?.() === 0 && owner.uid !== 0;
      const draft = `${path}.${randomUUID()}.partial`;
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          if (isGivenAway) await file.chown(owner.uid, owner.gid);
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        // Whoever removes the file meanwhile has removed the draft.
        await rename(draft, path).catch(ignoreMissing);
      } finally {
        await rm(draft, { force: true });
      }
      for (let parent = dirname(path); ; parent = dirname(parent)) {
        await syncFolder(parent);
        if (parent === last) break;
        if (isGivenAway) await chown(parent, owner.uid, owner.gid);
      }
    },
    find: async (name) => {
      const content = await readFile(join(folder, name)).catch(ignoreMissing);
      return content ?? null;
    },
    remove: async (name) => {
      const path = join(folder, name);
      // A process that was killed leaves its draft. Drafts go first: one that becomes the file meanwhile goes with it.
      const siblings = (await readdir(dirname(path)).catch(ignoreMissing)) ?? [];
      const isDraft = (each: string) => each.startsWith(`${basename(path)}.`) && each.endsWith('.partial');
      for (const draft of siblings.filter(isDraft)) await rm(join(dirname(path), draft), { force: true });
      await rm(path, { force: true });
    },
  };
}

/** Creates the folder if necessary. Throws the error of the system if no file can be written to it. */
export async function tryFolder(folder: string): Promise<void> {
  const draft = join(folder, `${randomUUID()}.partial`);
  await createFolder(folder);
  await writeFile(draft, '', { flag: 'wx', mode: 0o600 });
  await rm(draft);
}

/** Creates a folder and its parents. The recursive form of Node never ends in a file system that has no new folders, such as `/proc`. */
async function createFolder(folder: string): Promise<void> {
  const create = () => mkdir(folder, { mode: 0o700 }).catch(ignore('EEXIST'));
  try {
    await create();
  } catch (error) {
    ignoreMissing(error);
    await createFolder(dirname(folder));
    await create();
  }
}

const ignoreMissing = ignore('ENOENT');

function ignore(code: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error;
  };
}

/** Makes the new names in a folder survive a crash of the machine. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
