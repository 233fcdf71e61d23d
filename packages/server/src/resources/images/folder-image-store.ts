import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../lib/errors/error-code.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import type { ImageStore } from './image-store.ts';

/** Keeps images as files of a folder. A file has its name only when it is complete and on disk. */
export function createFolderImageStore(folder: string): ImageStore {
  return {
    put: async (name, content) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `${name}.${randomUUID()}.partial`);
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(folder, name));
      } finally {
        await rm(draft, { force: true });
      }
      await syncFolder(folder);
    },
    find: async (name) => {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
  };
}

/** Creates the folder if necessary. Throws a `StartError` if no file can be written to it. */
export async function verifyImageFolder(folder: string): Promise<void> {
  const draft = join(folder, `${randomUUID()}.partial`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, '', { flag: 'wx', mode: 0o600 });
    await rm(draft);
  } catch (error) {
    throw new StartError(
      `Images cannot be stored in ${folder} (${errorCode(error)}): make the folder writable by the user of the service, ` +
        'or set IMAGE_FOLDER to another one.',
      { cause: error },
    );
  }
}

/** Makes the new name of a file survive a crash of the machine. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
