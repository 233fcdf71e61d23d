import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { withPath } from '../with-path.ts';

/**
 * Writes a file that appears under its name only when it is complete. Until then it has a temporary name in the same
 * folder, and it is removed if anything fails.
 */
export function writeFileAtomically(path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  return withPath(path, () => writeThenRename(path, chunks));
}

async function writeThenRename(path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  const target = await resolveTarget(path);
  if (!target.isReplaceable) {
    const file = await open(target.path, 'w');
    return pipeline(chunks, file.createWriteStream());
  }
  const draft = `${target.path}.${randomUUID().slice(0, 8)}.part`;
  try {
    // Opened first: a stream that fails while it opens its file creates that file after the removal below.
    const file = await open(draft, 'wx');
    await pipeline(chunks, file.createWriteStream());
    await rename(draft, target.path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Follows links, and finds out whether the target may be replaced: a device such as /dev/null must not. */
async function resolveTarget(path: string): Promise<{ path: string; isReplaceable: boolean }> {
  try {
    const target = await realpath(path);
    return { path: target, isReplaceable: (await stat(target)).isFile() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { path, isReplaceable: true };
    throw error;
  }
}
