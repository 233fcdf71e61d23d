import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file that appears under its name only when it is whole. Until then it has another name beside it, and is
 * removed if anything goes wrong.
 */
export async function writeWholeFile(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const target = await resolveTarget(path);
  if (!target.isReplaceable) return pipeline(pieces, createWriteStream(target.path));
  const draft = `${target.path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await pipeline(pieces, createWriteStream(draft, { flags: 'wx' }));
    await rename(draft, target.path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Where a link points, and whether it is a file: a device such as /dev/null must not be replaced by one. */
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
